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

/** Takes in what plugins say in other languages: by the language, then by their own words. */
export function learn(translations: Record<string, Record<string, string>>): void {
  looked.clear();
  for (const [language, words] of Object.entries(translations))
    i18next.addResourceBundle(language, "manifests", words, true, true);
}

/**
 * A text of the server's with places to be filled in, as it is found and as it is said. The code of a form holds no
 * sign that a sentence goes on with. One of few words of its own fits much by chance.
 */
type Pattern = { found: RegExp; names: string[]; said: string; few: boolean };
const patterns = new WeakMap<object, Pattern[]>();

/** The patterns of the server's texts, made once for each language. */
function patternsOf(sentences: object): Pattern[] {
  let made = patterns.get(sentences);
  if (made === undefined) {
    made = Object.entries(sentences).flatMap(([original, said]: [string, unknown]) =>
      typeof said === "string" && original.includes("{")
        ? [
            {
              found: new RegExp(
                `^${original
                  .split(/(\{\w+\})/)
                  .map((part, at) => (at % 2 === 0 ? literal(part) : part === "{form}" ? "([\\w -]+)" : "(.+)"))
                  .join("")}$`,
              ),
              names: [...original.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ""),
              said,
              few: original.replace(/\{\w+\}|[^A-Za-z]/g, "").length < 12,
            },
          ]
        : [],
    );
    patterns.set(sentences, made);
  }
  return made;
}

/**
 * A text of the server's own making (a step, a plugin's text, what follows from the law), in the language that is
 * spoken; as it is where nobody translated it.
 */
export const told = (text: string): string => translationOf(text) ?? text;

/** What the server says with a code beside its English words, as older answers lack it. */
export const saidOf = ({ said, message }: { said?: unknown; message: string }): string => say(said) || told(message);

/** The same as told, and undefined where the language has no words for it, or is English. */
export function translationOf(text: string): string | undefined {
  const { language } = i18next;
  if (language === "en") return undefined;
  const key = `${language} ${text}`;
  if (!looked.has(key)) {
    if (looked.size > 4000) looked.clear();
    const server = bundle(language, "server");
    looked.set(key, translate(text, [bundle(language, "manifests"), server.sentences ?? {}]));
  }
  return looked.get(key);
}

/** What was looked up, since a screen says the same again and again. */
const looked = new Map<string, string | undefined>();

/** No text of the server's is longer; a person's may be, and would take long to compare with every pattern. */
const longest = 800;

/**
 * Looks a text up: as a whole, else sentence by sentence, else by the texts with places in them, else as the name of a
 * provision. orchestrator/notices/hindi_sentences_test.go looks it up in the same way.
 */
function translate(text: string, known: object[]): string | undefined {
  for (const words of known) {
    const whole = (words as Record<string, unknown>)[text];
    if (typeof whole === "string") return whole;
  }
  if (text.length > longest) return undefined;
  const sentences = sentencesOf(text);
  if (sentences.length > 1) {
    const each = sentences.map((sentence) => translate(sentence, known));
    if (!each.includes(undefined)) return each.join(" ");
  }
  let partly: string | undefined;
  for (const { found, names, said, few } of known.flatMap(patternsOf)) {
    const [match, ...places] = found.exec(text) ?? [];
    if (match === undefined) continue;
    // What is quoted stays as it stands in the notice.
    const filling = places.map((place, at) => (names[at] === "quote" ? place : translate(place, known)));
    const filled = names.reduce(
      (all, name, at) => all.replace(`{${name}}`, () => filling[at] ?? places[at] ?? ""),
      said,
    );
    if (!filling.includes(undefined)) return filled;
    if (!few) partly ??= filled;
  }
  if (partly !== undefined) return partly;
  const named = citation(text);
  return /[a-z]{2}/.test(named.replace(/\([a-z]+\)/g, "")) ? undefined : named;
}

const sentencesOf = (text: string): string[] => text.replace(/([a-z0-9)”%]\.) (?=[A-Z₹“])/g, "$1\n").split("\n");

const bundle = (language: string, name: string): Record<string, object | undefined> =>
  (i18next.getResourceBundle(language, name) as Record<string, object | undefined> | undefined) ?? {};
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
