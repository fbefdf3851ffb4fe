import type { QueryKey } from "@tanstack/react-query";
import "./errors";
import {
  configOptions,
  getConversationOptions,
  getConversationQueryKey,
  listConversationsOptions,
  listConversationsQueryKey,
  listQuestionsOptions,
  pluginsOptions as allPluginsOptions,
} from "./generated/@tanstack/react-query.gen";

/** The one door to the server: the generated client under the names that the app uses. */
export type {
  Check,
  Conversation,
  ConversationDetail,
  Document,
  FollowUp,
  Message,
  Plugin,
  PluginInput,
  Provenance,
  PublicConfig,
  QuestionMessage,
  RequiredDocument,
  SnapshotEvent,
  Step,
  TextEvent,
  Turn,
  TurnEvent,
} from "./generated";
export { becomeOperator, closeFollowUp, createConversation, postMessage, retryTurn, stopTurn } from "./generated";
export { ApiError, sentenceOf } from "./errors";
export { idempotencyKey } from "./idempotency";
export { uploadDocument } from "./upload";
export { createQueryClient } from "./queries";

/** What the web app needs to know of the server's configuration, and whether an operator asks; it does not change by itself. */
export const publicConfigOptions = () => ({ ...configOptions(), staleTime: Infinity });

/** The plugins that serve; a folder that is dropped in or mended shows without a reload. */
export const pluginsOptions = () => ({ ...allPluginsOptions(), refetchInterval: 10_000 });

export const conversationOptions = (id: string) => getConversationOptions({ path: { id } });
export const conversationQueryKey = (id: string): QueryKey => getConversationQueryKey({ path: { id } });

export const conversationsOptions = (plugin: string) => listConversationsOptions({ query: { plugin } });
/** Matches the lists of every plugin. */
export const conversationsQueryKey = (): QueryKey => listConversationsQueryKey();

/** What the model was asked in a turn; for operators. It does not change once there is an answer. */
export const questionsOptions = (turn: string) => ({ ...listQuestionsOptions({ path: { id: turn } }), staleTime: Infinity });

/** Where a document's PDF is, opened at a page when one is given. */
export function documentUrl(id: string, page?: number | null): string {
  const url = `/api/documents/${encodeURIComponent(id)}`;
  return page === undefined || page === null ? url : `${url}#page=${String(page)}`;
}
