import i18next from "i18next";
import { useSyncExternalStore } from "react";
import { initReactI18next, useTranslation } from "react-i18next";
import account from "@/locales/en/account.json";
import billing from "@/locales/en/billing.json";
import conversation from "@/locales/en/conversation.json";
import document from "@/locales/en/document.json";
import draft from "@/locales/en/draft.json";
import drafting from "@/locales/en/drafting.json";
import drafts from "@/locales/en/drafts.json";
import notices from "@/locales/en/notices.json";
import operators from "@/locales/en/operators.json";
import plugin from "@/locales/en/plugin.json";
import privacy from "@/locales/en/privacy.json";
import reply from "@/locales/en/reply.json";
import summary from "@/locales/en/summary.json";
import templates from "@/locales/en/templates.json";
import training from "@/locales/en/training.json";
import workspace from "@/locales/en/workspace.json";

// English is bundled, since it is the fallback of every other language; Hindi is fetched when it is chosen.
const en = {
  account,
  billing,
  conversation,
  document,
  draft,
  drafting,
  drafts,
  notices,
  operators,
  plugin,
  privacy,
  reply,
  summary,
  templates,
  training,
  workspace,
};

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "workspace";
    resources: typeof en;
  }
}

/** The texts of one language: the same files, with the same keys, as English has. */
export type Texts = typeof en;

/** A language of the interface. */
export type Language = "en" | "hi";

/** What each language is called in itself. */
export const languages: Record<Language, string> = { en: "English", hi: "हिन्दी" };

const key = "munshi.language";
const answersKey = "munshi.answers";

const isLanguage = (value: string | null): value is Language => value !== null && value in languages;

function kept(of: string): Language | null {
  try {
    const stored = localStorage.getItem(of);
    return isLanguage(stored) ? stored : null;
  } catch {
    return null; // Without storage the browser's languages decide.
  }
}

/** The language that was chosen in this browser; else the first of the browser's own that we have. */
function read(): Language {
  const chosen = kept(key);
  if (chosen !== null) return chosen;
  for (const tag of navigator.languages) {
    const [language = ""] = tag.split("-");
    if (isLanguage(language)) return language;
  }
  return "en";
}

/** Speaks a language from now on, once its texts are here; without them (offline) it stays with the one before. */
async function speak(language: Language): Promise<void> {
  if (language !== "en" && !i18next.hasResourceBundle(language, "workspace")) {
    const { texts } = await import("@/locales/hi");
    for (const [name, words] of Object.entries(texts)) i18next.addResourceBundle(language, name, words);
    looked.clear();
  }
  await i18next.changeLanguage(language);
  window.document.documentElement.lang = language;
}

/** Makes the texts ready, so that nothing that is shown has to wait for them. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    defaultNS: "workspace",
    resources: { en },
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
  });
  // Where the texts of the language cannot be fetched, English is better than nothing.
  await speak(read()).catch(() => undefined);
  window.addEventListener("storage", (event) => {
    if (event.key === key) void speak(read()).catch(() => undefined); // another tab chose
  });
}

/** The language that is spoken now, for what is no component. */
export const spoken = (): Language => (isLanguage(i18next.language) ? i18next.language : "en");

/** The language of the interface, kept in this browser, and the way to choose another; fails where it cannot be fetched. */
export function useLanguage(): { language: Language; choose: (language: Language) => Promise<void> } {
  useTranslation();
  return {
    language: spoken(),
    choose: async (language) => {
      await speak(language);
      window.document.cookie = `munshi_language=${language}; path=/; max-age=31536000; samesite=lax`; // for the landing page
      try {
        localStorage.setItem(key, language);
      } catch {
        // Then it holds until the page is left.
      }
    },
  };
}

/** What of the server's has a code, and so words in another language. */
export type Coded = "problems" | "flags" | "deadlines" | "sheets";

/** The words for a code of the server's in the language that is spoken; undefined where that is English, or has none for it. */
export function wordsFor(kind: Coded, code: string): string | undefined {
  const words: unknown = i18next.getResource(spoken(), "server", `${kind}.${code}`);
  return typeof words === "string" ? words : undefined;
}

/** The language that answers are wanted in: that of the interface, unless the person chose another for them. */
export const answersIn = (): Language => kept(answersKey) ?? spoken();

const choices = new EventTarget();

/** The language of answers, and the way to choose it; that of the interface is followed, and not kept. */
export function useAnswersIn(): { language: Language; choose: (language: Language) => void } {
  useTranslation();
  return {
    language: useSyncExternalStore(hearChoices, answersIn),
    choose: (language) => {
      try {
        if (language === spoken()) localStorage.removeItem(answersKey);
        else localStorage.setItem(answersKey, language);
      } catch {
        // Then answers follow the interface.
      }
      choices.dispatchEvent(new Event("answers"));
    },
  };
}

function hearChoices(tell: () => void): () => void {
  choices.addEventListener("answers", tell);
  return () => {
    choices.removeEventListener("answers", tell);
  };
}

/** The language that a text is written in, for those who read it aloud; Hindi where a quarter of it is Devanagari. */
export function languageOf(text: string): Language {
  const start = text.slice(0, 4000);
  return (start.match(/[\u0900-\u097f]/g)?.length ?? 0) > start.length / 4 ? "hi" : "en";
}

/** Takes in what plugins say in other languages: by the language, then by their own words. */
export function learn(translations: Record<string, Record<string, string>>): void {
  looked.clear();
  for (const [language, words] of Object.entries(translations)) i18next.addResourceBundle(language, "manifests", words, true, true);
}

/** A text of the server's with places to be filled in, as it is found and as it is said. The code of a form holds no sign that a sentence goes on with. */
type Pattern = { found: RegExp; names: string[]; said: string };
const patterns = new WeakMap<object, Pattern[]>();

/** The patterns of the server's texts, made once for each language. */
function patternsOf(sentences: object): Pattern[] {
  let made = patterns.get(sentences);
  if (made === undefined) {
    made = Object.entries(sentences).flatMap(([original, said]: [string, unknown]) =>
      typeof said === "string" && original.includes("{")
        ? [{ found: new RegExp(`^${original.split(/(\{\w+\})/).map((part, at) => (at % 2 === 0 ? literal(part) : part === "{form}" ? "([\\w -]+)" : "(.+)")).join("")}$`), names: [...original.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ""), said }]
        : [],
    );
    patterns.set(sentences, made);
  }
  return made;
}

/** A text of the server's own making (a step, a plugin's text, what follows from the law), in the language that is spoken; as it is where nobody translated it. */
export const told = (text: string): string => translationOf(text) ?? text;

/** The same, and undefined where the language has no words for it, or is English. */
export function translationOf(text: string): string | undefined {
  const { language } = i18next;
  if (language === "en") return undefined;
  const key = `${language} ${text}`;
  if (!looked.has(key)) {
    if (looked.size > 4000) looked.clear();
    const server = bundle(language, "server");
    looked.set(key, translate(text, [bundle(language, "manifests"), server.sentences ?? {}], namesOf(server.law ?? {})));
  }
  return looked.get(key);
}

/** What was looked up, since a screen says the same again and again. */
const looked = new Map<string, string | undefined>();

/** No text of the server's is longer; a person's may be, and would take long to compare with every pattern. */
const longest = 800;

/** Looks a text up: as a whole, else sentence by sentence, else by the texts with places in them, else as the name of a provision. orchestrator/hindi_sentences_test.go looks it up in the same way. */
function translate(text: string, known: object[], law: Names): string | undefined {
  for (const words of known) {
    const whole = (words as Record<string, unknown>)[text];
    if (typeof whole === "string") return whole;
  }
  if (text.length > longest) return undefined;
  const sentences = sentencesOf(text);
  if (sentences.length > 1) {
    const each = sentences.map((sentence) => translate(sentence, known, law));
    if (!each.includes(undefined)) return each.join(" ");
  }
  let partly: string | undefined;
  for (const { found, names, said } of known.flatMap(patternsOf)) {
    const [match, ...places] = found.exec(text) ?? [];
    if (match === undefined) continue;
    // What is quoted stays as it stands in the notice.
    const filling = places.map((place, at) => (names[at] === "quote" ? place : translate(place, known, law)));
    const filled = names.reduce((all, name, at) => all.replace(`{${name}}`, () => filling[at] ?? places[at] ?? ""), said);
    if (!filling.includes(undefined)) return filled;
    partly ??= filled;
  }
  if (partly !== undefined) return partly;
  const named = text.replace(law.found, (_, before: string, name: string) => before + (law.said[name] ?? name));
  return /[a-z]{2}/.test(named.replace(/\([a-z]+\)/g, "")) ? undefined : named;
}

const sentencesOf = (text: string): string[] => text.replace(/([a-z0-9)”%]\.) (?=[A-Z₹“])/g, "$1\n").split("\n");

/** The words of which names of provisions are made ("CGST Act s.73(2) and (10)"), and how they are found: the longest first. */
type Names = { found: RegExp; said: Record<string, string> };
const lawNames = new WeakMap<object, Names>();

function namesOf(law: object): Names {
  let made = lawNames.get(law);
  if (made === undefined) {
    const keys = Object.keys(law).sort((a, b) => b.length - a.length);
    const alternatives = keys.map((key) => literal(key) + (/[A-Za-z]$/.test(key) ? "(?![A-Za-z])" : ""));
    made = { found: new RegExp(`(^|[^A-Za-z])(${alternatives.join("|")})`, "g"), said: law as Record<string, string> };
    lawNames.set(law, made);
  }
  return made;
}

const bundle = (language: string, name: string): Record<string, object | undefined> =>
  (i18next.getResourceBundle(language, name) as Record<string, object | undefined> | undefined) ?? {};
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
