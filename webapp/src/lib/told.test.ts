import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { texts } from "@/locales/hi";
import { startTexts } from "./i18n";
import { told, translationOf } from "./told";

beforeAll(async () => {
  await startTexts();
  i18next.addResourceBundle("hi", "messages", texts.messages);
  i18next.addResourceBundle("hi", "server", texts.server);
  await i18next.changeLanguage("hi");
});

test("what the notice says itself is quoted, and what nobody translated stays", () => {
  expect(told("Reading page 2 of 5")).toBe("5 में से पृष्ठ 2 पढ़ा जा रहा है");
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
