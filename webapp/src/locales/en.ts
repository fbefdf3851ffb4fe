import account from "./en/account.json";
import conversation from "./en/conversation.json";
import plugin from "./en/plugin.json";
import workspace from "./en/workspace.json";

/** The English texts that every screen needs; bundled, since English is the fallback for other languages. */
export const en = {
  account,
  conversation,
  plugin,
  workspace,
};

/** The English texts of the other screens, loaded when one of them opens. */
export const later = {
  asked: () => import("./en/asked.json"),
  authorities: () => import("./en/authorities.json"),
  billing: () => import("./en/billing.json"),
  board: () => import("./en/board.json"),
  document: () => import("./en/document.json"),
  draft: () => import("./en/draft.json"),
  drafting: () => import("./en/drafting.json"),
  drafts: () => import("./en/drafts.json"),
  figures: () => import("./en/figures.json"),
  firm: () => import("./en/firm.json"),
  import: () => import("./en/import.json"),
  law: () => import("./en/law.json"),
  notices: () => import("./en/notices.json"),
  operators: () => import("./en/operators.json"),
  practice: () => import("./en/practice.json"),
  privacy: () => import("./en/privacy.json"),
  reply: () => import("./en/reply.json"),
  summary: () => import("./en/summary.json"),
  templates: () => import("./en/templates.json"),
  training: () => import("./en/training.json"),
};

type Later = { [Name in keyof typeof later]: Awaited<ReturnType<(typeof later)[Name]>>["default"] };

/** The texts of one language: the same files with the same keys as in English. */
export type Texts = typeof en & Later;
