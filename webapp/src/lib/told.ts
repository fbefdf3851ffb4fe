import i18next from "i18next";
import { spoken } from "./i18n";
import { citation, say } from "./message";

/** What of the server's has a code, and so words in another language. */
export type Coded = "problems";

/**
 * The words for a code of the server's in the language that is spoken; undefined where that is English, or has none for
 * it.
 */
export function wordsFor(kind: Coded, code: string): string | undefined {
  const words: unknown = i18next.getResource(spoken(), "server", `${kind}.${code}`);
  return typeof words === "string" ? words : undefined;
}

/**
 * Takes in what plugins, templates and the configuration say in other languages, as they bring it along: by the
 * language, then by their own words.
 */
export function learn(translations: Record<string, Record<string, string>>): void {
  for (const [language, words] of Object.entries(translations))
    i18next.addResourceBundle(language, "manifests", words, true, true);
}

/**
 * A name in the language that is spoken: of a paper, a heading, a circular as the tables of law have it with its Hindi
 * beside it (locales/hi/tables.json), one that a plugin or a template brings along, or that of a provision. A name that
 * has no other words stays as it is.
 */
export function told(name: string): string {
  if (spoken() === "en") return name;
  for (const bundle of ["manifests", "tables"]) {
    const words = i18next.getResourceBundle(spoken(), bundle) as Record<string, unknown> | undefined;
    const found = words?.[name];
    if (typeof found === "string") return found;
  }
  const named = citation(name);
  return /[a-z]{2}/.test(named.replace(/\([a-z]+\)/g, "")) ? name : named;
}

/** What the server says with a code beside its English words, as older answers lack it. */
export const saidOf = ({ said, message }: { said?: unknown; message: string }): string => say(said) || message;
