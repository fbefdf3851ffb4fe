import i18next from "i18next";
import { spoken } from "./i18n";
import { citation, say } from "./message";

/** Adds the translations that come with plugins, templates and the configuration: by language, then by English text. */
export function learn(translations: Record<string, Record<string, string>>): void {
  for (const [language, words] of Object.entries(translations))
    i18next.addResourceBundle(language, "manifests", words, true, true);
}

/**
 * Returns a name in the current language: of a document, a heading or a circular in the law tables, whose Hindi is in
 * locales/hi/tables.json; one that comes with a plugin or template; or the name of a provision. A name without a
 * translation is returned unchanged.
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

/** Returns the text of something that has a message; older answers have only the English text. */
export const saidOf = ({ said, message }: { said?: unknown; message: string }): string => say(said) || message;
