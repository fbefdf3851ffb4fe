import i18next from "i18next";
import { spoken } from "./i18n";
import { citation, say } from "./message";

/** What of the server's has a code, and so words in another language. */
export type Coded = "problems";

/** What a code's sentence is about: which of its sentences, "" for the plain one, and the values of its places. */
type Particulars = { which: string; values: Record<string, unknown> };

/**
 * The words for a code of the server's in the language that is spoken; undefined where that is English, or has none for
 * it. A sentence for the particular case, "damaged_photograph", goes before the code's plain one.
 */
export function wordsFor(
  kind: Coded,
  code: string,
  { which, values }: Particulars = { which: "", values: {} },
): string | undefined {
  for (const name of which === "" ? [code] : [`${code}_${which}`, code]) {
    const words: unknown = i18next.getResource(spoken(), "server", `${kind}.${name}`);
    if (typeof words !== "string") continue;
    const filled = words.replace(/{{(\w+)}}/g, (place, value: string) => {
      const known = values[value];
      return typeof known === "number" || typeof known === "string" ? String(known) : place;
    });
    if (!filled.includes("{{")) return filled;
  }
  return undefined;
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
export function term(name: string): string {
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
