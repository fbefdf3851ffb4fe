import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { texts } from "@/locales/hi";
import { startTexts } from "./i18n";
import { learn, term, wordsFor } from "./terms";

beforeAll(async () => {
  await startTexts();
  i18next.addResourceBundle("hi", "messages", texts.messages);
  i18next.addResourceBundle("hi", "tables", texts.tables);
  i18next.addResourceBundle("hi", "server", texts.server);
  await i18next.changeLanguage("hi");
});

test("a name is said as its table or its plugin has it, one of a provision by its words, and another stays", () => {
  learn({ hi: { "Analyse the notice": "नोटिस का विश्लेषण" } });
  expect(term("Analyse the notice")).toBe("नोटिस का विश्लेषण");
  expect(term("Interest on delayed payment of tax")).toBe("कर के विलंबित भुगतान पर ब्याज");
  expect(term("CGST Act s.44")).toBe("CGST अधिनियम, धारा 44");
  expect(term("Purchases of May 2021 from M/s Sharma")).toBe("Purchases of May 2021 from M/s Sharma");
});

test("a refused photograph is named by its number, and where the numbers are missing the code's plain sentence is said", () => {
  const of = { which: "photograph", values: { number: 2, found: "31.5", limit: "25" } };
  expect(wordsFor("problems", "too_large", of)).toContain("फ़ोटो 2 31.5 MB का है; सीमा 25 MB है");
  expect(wordsFor("problems", "too_large", { which: "photograph", values: {} })).toBe(texts.server.problems.too_large);
  expect(wordsFor("problems", "too_large", { which: "unheard", values: {} })).toBe(texts.server.problems.too_large);
});

test("in English nothing is translated", async () => {
  await i18next.changeLanguage("en");
  expect(term("CGST Act s.44")).toBe("CGST Act s.44");
  await i18next.changeLanguage("hi");
});
