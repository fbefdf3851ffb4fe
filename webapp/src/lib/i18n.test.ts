import { describe, expect, test } from "vitest";

const files = import.meta.glob<Record<string, unknown>>("../locales/*/*.json", { eager: true, import: "default" });

/** Each text of a language by its full key. */
function textsOf(language: string): Map<string, string> {
  const all = new Map<string, string>();
  const walk = (at: string, value: unknown) => {
    if (typeof value === "string") all.set(at, value);
    else for (const [key, inner] of Object.entries(value as Record<string, unknown>)) walk(`${at}.${key}`, inner);
  };
  const folder = `../locales/${language}/`;
  for (const [file, texts] of Object.entries(files)) {
    if (file.startsWith(folder)) walk(file.slice(folder.length).replace(".json", ""), texts);
  }
  return all;
}

// English may write a number as a word ("1 day left"); a language whose "one" also means 0 shows the number itself.
const parts = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}|<\/?\w+>/g)]
    .map(([part]) => part)
    .filter((part) => part !== "{{count}}")
    .sort();
const plural = /_(zero|one|other)$/;

const en = textsOf("en");
const others = [...new Set(Object.keys(files).map((file) => file.split("/")[2] ?? ""))].filter((name) => name !== "en");

test("Hindi is among the languages", () => {
  expect(others).toContain("hi");
});

describe.each(others)("in %s", (language) => {
  const texts = textsOf(language);

  test("every English text has one, and the other way round", () => {
    expect([...en.keys()].filter((key) => !texts.has(key))).toEqual([]);
    expect([...texts.keys()].filter((key) => !en.has(key) && !key.startsWith("tables."))).toEqual([]);
  });

  test("no text is empty, and each has the places of the English one to fill in", () => {
    const wrong = [...texts].filter(([key, text]) => {
      const english = en.get(key);
      return text.trim() === "" || (english !== undefined && parts(text).join() !== parts(english).join());
    });
    expect(wrong).toEqual([]);
  });

  test("a text that counts says the number in every form, since 0 may take the form of one", () => {
    const silent = [...texts].filter(
      ([key, text]) =>
        plural.test(key) &&
        !key.endsWith("_zero") &&
        !text.includes("{{count}}") &&
        (en.get(key.replace(plural, "_other")) ?? "").includes("{{count}}"),
    );
    expect(silent).toEqual([]);
  });
});
