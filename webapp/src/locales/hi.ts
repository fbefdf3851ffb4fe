import messages from "@messages/hi.json";
import type { Texts } from "./en";
import account from "./hi/account.json";
import asked from "./hi/asked.json";
import authorities from "./hi/authorities.json";
import billing from "./hi/billing.json";
import board from "./hi/board.json";
import conversation from "./hi/conversation.json";
import document from "./hi/document.json";
import draft from "./hi/draft.json";
import drafting from "./hi/drafting.json";
import drafts from "./hi/drafts.json";
import figures from "./hi/figures.json";
import firm from "./hi/firm.json";
import imports from "./hi/import.json";
import law from "./hi/law.json";
import notices from "./hi/notices.json";
import operators from "./hi/operators.json";
import plugin from "./hi/plugin.json";
import practice from "./hi/practice.json";
import privacy from "./hi/privacy.json";
import reply from "./hi/reply.json";
import summary from "./hi/summary.json";
import tables from "./hi/tables.json";
import templates from "./hi/templates.json";
import training from "./hi/training.json";
import workspace from "./hi/workspace.json";

const words: Texts = {
  account,
  asked,
  authorities,
  billing,
  board,
  conversation,
  document,
  draft,
  drafting,
  drafts,
  figures,
  firm,
  import: imports,
  law,
  notices,
  operators,
  plugin,
  practice,
  privacy,
  reply,
  summary,
  templates,
  training,
  workspace,
};

/** The Hindi texts, the server's messages by code, and the names in its law tables. */
export const texts = { ...words, messages, tables };
