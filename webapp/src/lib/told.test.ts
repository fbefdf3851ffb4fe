import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { texts } from "@/locales/hi";
import { startTexts } from "./i18n";
import { told, translationOf } from "./told";

beforeAll(async () => {
  await startTexts();
  i18next.addResourceBundle("hi", "server", texts.server);
  await i18next.changeLanguage("hi");
});

test("what follows from the law is said in Hindi, with its figures and names in their places", () => {
  expect(told("30 days counted from the date of issue, 12.08.2025")).toBe("30 दिन, जारी होने की तारीख 12.08.2025 से");
  expect(told("CGST Act s.73(2) and (10)")).toBe("CGST अधिनियम, धारा 73(2) और (10)");
  expect(told("rule 142(4), CGST Rules")).toBe("नियम 142(4), CGST नियमावली");
  expect(told("Appeal to the Tribunal in FORM APL-05, with an application to condone the delay")).toBe(
    "FORM APL-05 में अपीलीय अधिकरण में अपील करें, विलंब की माफ़ी के आवेदन के साथ",
  );
  expect(
    told(
      "FORM GST RFD-03 is not answered with a reply. File a fresh FORM GST RFD-01 (rule 90(3)). Otherwise: claim not processed.",
    ),
  ).toBe(
    "FORM GST RFD-03 का उत्तर नहीं दिया जाता। नया FORM GST RFD-01 दाखिल करें (नियम 90(3))। अन्यथा: दावे पर कार्रवाई नहीं होती।",
  );
  expect(told("₹50,000 tax, ₹1,000 penalty")).toBe("₹50,000 कर, ₹1,000 शास्ति");
  expect(told("To be confirmed against the Act or the notification (CGST Act s.44, r.80).")).toBe(
    "अधिनियम या अधिसूचना से पुष्टि करनी है (CGST अधिनियम, धारा 44, नियम 80)।",
  );
  expect(told("The cap of ₹20,00,00,000 holds. In addition to what was paid for the first appeal.")).toBe(
    "₹20,00,00,000 की ऊपरी सीमा लागू है। पहली अपील के लिए जो चुकाया गया उसके अतिरिक्त।",
  );
  expect(
    told(
      "Section 16(2)(aa) is in force from 1 January 2022 (Finance Act 2021 s.109; N.39/2021-CT). The notice is for FY 2018-19.",
    ),
  ).toBe(
    "धारा 16(2)(aa) 1 जनवरी 2022 से प्रवृत्त है (वित्त अधिनियम 2021 धारा 109; N.39/2021-CT)। नोटिस वित्त वर्ष 2018-19 का है।",
  );
});

test("what the notice says itself is quoted, and what nobody translated stays", () => {
  expect(
    told(
      "In the table of the demand one sum is left open, “as may be found due”. It is counted as nil here, so more may fall due than the total says.",
    ),
  ).toContain("“as may be found due”");
  expect(told("Output tax")).toBe("Output tax");
  expect(told("This is not the password of the account.")).toBe("This is not the password of the account.");
  expect(told("2020-21, and 5% of the tax, ".repeat(2000))).toContain("and 5% of");
  expect(translationOf("Purchases of May 2021 from M/s Sharma")).toBeUndefined();
});

test("in English nothing is translated", async () => {
  await i18next.changeLanguage("en");
  expect(told("CGST Act s.44")).toBe("CGST Act s.44");
  await i18next.changeLanguage("hi");
});
