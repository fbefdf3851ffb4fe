import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { texts } from "@/locales/hi";
import { startTexts } from "./i18n";
import { learn, term } from "./terms";

beforeAll(async () => {
  await startTexts();
  i18next.addResourceBundle("hi", "messages", texts.messages);
  i18next.addResourceBundle("hi", "tables", texts.tables);
  await i18next.changeLanguage("hi");
});

test("a name is said as its table or its plugin has it, one of a provision by its words, and another stays", () => {
  learn({ hi: { "Analyse the notice": "नोटिस का विश्लेषण" } });
  expect(term("Analyse the notice")).toBe("नोटिस का विश्लेषण");
  expect(term("Interest on delayed payment of tax")).toBe("टैक्स देर से चुकाने पर ब्याज");
  expect(term("CGST Act s.44")).toBe("CGST अधिनियम, धारा 44");
  expect(term("Purchases of May 2021 from M/s Sharma")).toBe("Purchases of May 2021 from M/s Sharma");
});

test("in English nothing is translated", async () => {
  await i18next.changeLanguage("en");
  expect(term("CGST Act s.44")).toBe("CGST Act s.44");
  await i18next.changeLanguage("hi");
});
