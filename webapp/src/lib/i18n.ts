import i18next, { type BackendModule } from "i18next";
import { useSyncExternalStore } from "react";
import { initReactI18next, useTranslation } from "react-i18next";
import { en, later, type Texts } from "@/locales/en";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "workspace";
    resources: Texts;
  }
}

/** Loads English texts that are not bundled, when a screen first needs them. */
const fetched: BackendModule = {
  type: "backend",
  init: () => undefined,
  read: (language, name, done) => {
    const fetch = language === "en" ? later[name as keyof typeof later] : undefined;
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

/** The name of each language in that language. */
export const languages: Record<Language, string> = { en: "English", hi: "हिन्दी" };

/** The texts of the languages other than English, which is bundled. */
const texts: Record<Exclude<Language, "en">, () => Promise<{ texts: object }>> = {
  hi: () => import("@/locales/hi"),
};

const key = "munshi.language";
const answersKey = "munshi.answers";

/** Reports whether the interface has a language of this tag. */
export const isLanguage = (value: string | null): value is Language => value !== null && value in languages;

function kept(of: string): Language | null {
  try {
    const stored = localStorage.getItem(of);
    return isLanguage(stored) ? stored : null;
  } catch {
    return null; // without storage, the browser's languages decide
  }
}

/** Returns the language chosen in this browser, or else the first of the browser's languages that we have. */
function read(): Language {
  const chosen = kept(key);
  if (chosen !== null) return chosen;
  for (const tag of navigator.languages) {
    const [language = ""] = tag.split("-");
    if (isLanguage(language)) return language;
  }
  return "en";
}

/** Switches to a language once its texts are loaded; if they cannot be loaded, the language does not change. */
async function speak(language: Language): Promise<void> {
  if (language !== "en" && !i18next.hasResourceBundle(language, "workspace")) {
    const all = (await texts[language]()).texts;
    for (const [name, words] of Object.entries(all)) i18next.addResourceBundle(language, name, words);
  }
  await i18next.changeLanguage(language);
  window.document.documentElement.lang = language;
}

/** Loads the texts before anything is shown. */
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
      interpolation: { escapeValue: false }, // React escapes texts
      returnNull: false,
    });
  // If the texts of the language cannot be loaded, English is better than nothing.
  await speak(read()).catch(() => undefined);
  window.addEventListener("storage", (event) => {
    if (event.key === key) void speak(read()).catch(() => undefined); // another tab has chosen a language
  });
}

/** Switches to the language that the sender of a link chose, unless one was chosen in this browser. */
export async function speakUnlessChosen(language: Language): Promise<void> {
  if (kept(key) === null && language !== spoken()) await speak(language);
}

/** Returns the current language, for code outside components. */
export const spoken = (): Language => (isLanguage(i18next.language) ? i18next.language : "en");

/**
 * Returns the language of the interface, which is stored in this browser, and a function to choose another, which fails
 * if the texts cannot be loaded.
 */
export function useLanguage(): { language: Language; choose: (language: Language) => Promise<void> } {
  useTranslation();
  return {
    language: spoken(),
    choose: async (language) => {
      await speak(language);
      // for the landing page
      window.document.cookie = `munshi_language=${language}; path=/; max-age=31536000; samesite=lax`;
      try {
        localStorage.setItem(key, language);
      } catch {
        // Without storage, it lasts until the page is left.
      }
    },
  };
}

/** Returns the language for answers: that of the interface, unless the person chose another. */
export const answersIn = (): Language => kept(answersKey) ?? spoken();

const choices = new EventTarget();

/** Returns the language for answers, and a function to choose it; choosing the interface's language stores nothing. */
export function useAnswersIn(): { language: Language; choose: (language: Language) => void } {
  useTranslation();
  return {
    language: useSyncExternalStore(hearChoices, answersIn),
    choose: (language) => {
      try {
        if (language === spoken()) localStorage.removeItem(answersKey);
        else localStorage.setItem(answersKey, language);
      } catch {
        // Without storage, answers follow the interface.
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

/** Returns the language of a text, for screen readers: Hindi if a quarter of it is Devanagari. */
export function languageOf(text: string): Language {
  const start = text.slice(0, 4000);
  return (start.match(/[\u0900-\u097f]/g)?.length ?? 0) > start.length / 4 ? "hi" : "en";
}
