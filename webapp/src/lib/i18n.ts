import i18next, { type BackendModule } from "i18next";
import { useSyncExternalStore } from "react";
import { initReactI18next, useTranslation } from "react-i18next";
import account from "@/locales/en/account.json";
import conversation from "@/locales/en/conversation.json";
import document from "@/locales/en/document.json";
import plugin from "@/locales/en/plugin.json";
import workspace from "@/locales/en/workspace.json";

// English is bundled, since it is the fallback of every other language, but for screens that are not opened first.
// Hindi is fetched when it is chosen.
const en = {
  account,
  conversation,
  document,
  plugin,
  workspace,
};

const later = {
  asked: () => import("@/locales/en/asked.json"),
  authorities: () => import("@/locales/en/authorities.json"),
  billing: () => import("@/locales/en/billing.json"),
  board: () => import("@/locales/en/board.json"),
  draft: () => import("@/locales/en/draft.json"),
  drafting: () => import("@/locales/en/drafting.json"),
  drafts: () => import("@/locales/en/drafts.json"),
  figures: () => import("@/locales/en/figures.json"),
  firm: () => import("@/locales/en/firm.json"),
  import: () => import("@/locales/en/import.json"),
  law: () => import("@/locales/en/law.json"),
  notices: () => import("@/locales/en/notices.json"),
  operators: () => import("@/locales/en/operators.json"),
  practice: () => import("@/locales/en/practice.json"),
  privacy: () => import("@/locales/en/privacy.json"),
  reply: () => import("@/locales/en/reply.json"),
  summary: () => import("@/locales/en/summary.json"),
  templates: () => import("@/locales/en/templates.json"),
  training: () => import("@/locales/en/training.json"),
};

type Later = { [Name in keyof typeof later]: Awaited<ReturnType<(typeof later)[Name]>>["default"] };

/** The texts of one language: the same files, with the same keys, as English has. */
export type Texts = typeof en & Later;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "workspace";
    resources: Texts;
  }
}

/** Fetches the English texts that are not bundled, when a screen first asks for them. */
const fetched: BackendModule = {
  type: "backend",
  init: () => undefined,
  read: (language, name, done) => {
    const fetch = language === "en" ? later[name as keyof Later] : undefined;
    if (fetch === undefined) done(null, {});
    else
      fetch().then(
        (texts) => {
          done(null, texts.default);
        },
        (error: unknown) => {
          done(error as Error, null);
        },
      );
  },
};

/** A language of the interface. */
export type Language = "en" | "hi";

/** What each language is called in itself. */
export const languages: Record<Language, string> = { en: "English", hi: "हिन्दी" };

/** The texts of each language but English, which is bundled. */
const texts: Record<Exclude<Language, "en">, () => Promise<{ texts: object }>> = {
  hi: () => import("@/locales/hi"),
};

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
    const all = (await texts[language]()).texts;
    for (const [name, words] of Object.entries(all)) i18next.addResourceBundle(language, name, words);
  }
  await i18next.changeLanguage(language);
  window.document.documentElement.lang = language;
}

/** Makes the texts ready, so that nothing that is shown has to wait for them. */
export async function startTexts(): Promise<void> {
  await i18next
    .use(fetched)
    .use(initReactI18next)
    .init({
      lng: "en",
      fallbackLng: "en",
      defaultNS: "workspace",
      ns: Object.keys(en),
      resources: { en },
      partialBundledLanguages: true,
      interpolation: { escapeValue: false }, // React escapes
      returnNull: false,
    });
  // Where the texts of the language cannot be fetched, English is better than nothing.
  await speak(read()).catch(() => undefined);
  window.addEventListener("storage", (event) => {
    if (event.key === key) void speak(read()).catch(() => undefined); // another tab chose
  });
}

/** Speaks a language that whoever sent a link chose, where nobody chose one in this browser. */
export async function speakUnlessChosen(language: Language): Promise<void> {
  if (kept(key) === null && language !== spoken()) await speak(language);
}

/** The language that is spoken now, for what is no component. */
export const spoken = (): Language => (isLanguage(i18next.language) ? i18next.language : "en");

/**
 * The language of the interface, kept in this browser, and the way to choose another; fails where it cannot be fetched.
 */
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
