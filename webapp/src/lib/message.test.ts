import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { texts } from "@/locales/hi";
import { startTexts } from "./i18n";
import { citation, say } from "./message";

beforeAll(async () => {
  await startTexts();
  i18next.addResourceBundle("hi", "messages", texts.messages);
  await i18next.changeLanguage("hi");
});

const days = (count: number) => ({ code: "time.days", params: { count }, en: `${String(count)} days` });
const from = {
  code: "deadlines.basis.issue",
  params: { time: days(30), date: { date: "2025-08-12" } },
  en: "30 days counted from the date of issue, 12 August 2025",
};

test("a message is said by its code, with its values in their places", () => {
  expect(say(from)).toBe("30 दिन, जारी होने की तारीख 12 अगस्त 2025 से");
  expect(say({ code: "time.months", params: { count: 1 }, en: "1 month" })).toBe("1 महीना");
  expect(say({ code: "money.note.cap", params: { amount: { paise: 20_00_00_000_00 } }, en: "" })).toBe(
    "₹20,00,00,000 की ऊपरी सीमा लागू है।",
  );
  const both = { code: "sentences", params: { all: { list: [from, days(2)], by: " " } }, en: "" };
  expect(say(both)).toBe("30 दिन, जारी होने की तारीख 12 अगस्त 2025 से 2 दिन");
  const cited = {
    code: "doubts.section_73",
    params: { cited: { list: ["73", "74"], by: "and" }, section: "73" },
    en: "",
  };
  expect(say(cited)).toContain("धाराएँ 73 और 74 लिखी हैं");
});

test("a problem is told by its code and its case", () => {
  const photograph = {
    code: "problems.too_large.photograph",
    params: { number: 2, found: "31.5", limit: "25" },
    en: "",
  };
  expect(say(photograph)).toContain("फ़ोटो 2 31.5 MB का है; सीमा 25 MB है");
  expect(say({ code: "problems.too_large", params: { found: "31.5", limit: "25" }, en: "" })).toContain(
    "यह PDF 31.5 MB की है",
  );
});

test("what has no code, or none that is known, is said as it came", () => {
  expect(say("Reply in FORM DRC-06")).toBe("Reply in FORM DRC-06");
  expect(say({ en: "Reply in FORM DRC-06", hi: "FORM DRC-06 में उत्तर दें" })).toBe("FORM DRC-06 में उत्तर दें");
  expect(say({ code: "deadlines.of_tomorrow", en: "A day of tomorrow" })).toBe("A day of tomorrow");
  expect(say(null)).toBe("");
});

test("words of a notice stay as they are, whatever signs they have", () => {
  const quote = "{{page}} $t(and) <b>";
  expect(say({ code: "flags.injection_text", params: { page: 3, quote }, en: "" })).toContain(`“${quote}”`);
});

test("a provision is named in Hindi", () => {
  expect(citation("CGST Act s.73(2) and (10)")).toBe("CGST अधिनियम, धारा 73(2) और (10)");
  expect(citation("rule 142(4), CGST Rules")).toBe("नियम 142(4), CGST नियमावली");
});

test("in English the server's own words are shown", async () => {
  await i18next.changeLanguage("en");
  expect(say(from)).toBe(from.en);
  expect(citation("CGST Act s.44")).toBe("CGST Act s.44");
  await i18next.changeLanguage("hi");
});
