import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import account from "@/locales/en/account.json";
import billing from "@/locales/en/billing.json";
import coming from "@/locales/en/coming.json";
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

// English is bundled, since it is the fallback of every other language. Another language is a folder
// beside src/locales/en with the same files, to be loaded when it is chosen.
const en = {
  account,
  billing,
  coming,
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

/** Makes the texts ready; they are there at once, so that nothing has to wait for them. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    defaultNS: "workspace",
    resources: { en },
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
  });
}
