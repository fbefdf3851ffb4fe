import { keepPreviousData, queryOptions, type QueryKey } from "@tanstack/react-query";
import "./errors";
import { findQuote } from "./generated";
import {
  compareEvalRunsOptions,
  comparePromptsOptions,
  configOptions,
  getBillingOptions,
  getPaymentOptions,
  getReceiptOptions,
  getBriefOptions,
  getBriefQueryKey,
  getCalendarOptions,
  getCalendarQueryKey,
  getConversationOptions,
  getConversationQueryKey,
  getDraftOptions,
  getDraftQueryKey,
  getDraftVersionOptions,
  getEvalHistoryOptions,
  listEvalReadingsOptions,
  getEvalRunOptions,
  getEvalRunQueryKey,
  getInterviewOptions,
  getInterviewQueryKey,
  getPageOptions,
  getProvisionOptions,
  getTrainingOptions,
  getTrainingQueryKey,
  getReplyOptions,
  getReplyQueryKey,
  listAuthoritiesOptions,
  listClientsOptions,
  listCommentsOptions,
  listCommentsQueryKey,
  listAuthoritiesQueryKey,
  listConversationsQueryKey,
  listDraftsQueryKey,
  listEvalCasesOptions,
  listEvalRunsOptions,
  listEvalRunsQueryKey,
  listDraftVersionsOptions,
  listDraftVersionsQueryKey,
  listLawOptions,
  listLinksOptions,
  listLinksQueryKey,
  openLinkOptions,
  listMessageDatesOptions,
  listNoticesQueryKey,
  listPagesOptions,
  listPromptsOptions,
  listPromptVersionsOptions,
  listQuestionsOptions,
  listRemindersOptions,
  listTasksOptions,
  listTasksQueryKey,
  listTemplatesOptions,
  listWrittenDraftsOptions,
  getMeOptions,
  getErasureOptions,
  getPrivacyOptions,
  getPrivacyQueryKey,
  listDevicesOptions,
  listDevicesQueryKey,
  listRemindersQueryKey,
  listRunsOptions,
  searchLawOptions,
  pluginsOptions as allPluginsOptions,
  previewPromptsOptions,
  getFiguresOptions,
  getFiguresQueryKey,
  getFigureEntriesOptions,
  getClientOptions,
  getClientQueryKey,
  getFirmOptions,
  getFirmQueryKey,
  getMatterOptions,
  getRegisterImportQueryKey,
  getMatterQueryKey,
  getTriageQueryKey,
  listMattersQueryKey,
  getMailInOptions,
  getMailInQueryKey,
  getMailChoicesOptions,
  getMailChoicesQueryKey,
  listFirmLogQueryKey,
  getBoardQueryKey,
  getExposureQueryKey,
  getWorkloadOptions,
  listChoicesOptions,
  searchQueryKey as everySearchQueryKey,
  listViewsOptions,
  listViewsQueryKey,
} from "./generated/@tanstack/react-query.gen";
import { base } from "@/lib/place";
import { learn } from "@/lib/terms";
import { lookAtInvitation, previewPrompt, type PluginList, type TemplateList } from "./generated";
import { inOurWords } from "./plugins";
import { wordFile } from "./word";

/** The only access to the server: the generated client, under the names that the app uses. */
export type {
  Acting,
  Authority,
  Billing,
  BoardDay,
  Client,
  ClientLine,
  ListedNotice,
  Named,
  PortalSeen,
  RegisterImport,
  RegisterLine,
  PaymentOffer,
  PaymentState,
  PayLine,
  Receipt,
  Brief,
  Box,
  Check,
  Conversation,
  ConversationDetail,
  Earlier,
  EvalCase,
  EvalChange,
  EvalDetail,
  EvalPoint,
  EvalResult,
  EvalRun,
  EvalReading,
  ReadingScore,
  EvalSeries,
  EvalVerdict,
  FoundText,
  YearExposure,
  Document,
  MailChoices,
  QuarantinedMail,
  Draft,
  DraftLine,
  DraftPart,
  DraftVersion,
  FigureAllegation,
  FigureClass,
  FigureEntry,
  FigureFile,
  FigureLate,
  FigureMonth,
  FigurePapers,
  FigureSide,
  FiguresShown,
  Firm,
  FigureTable,
  FollowUp,
  Interview,
  InterviewQuestion,
  Invited,
  LawAct,
  LawChapter,
  LawDigest,
  LawHead,
  LawHit,
  LawMark,
  LawProvision,
  LawReference,
  LawText,
  Letter,
  Link,
  LinkInterview,
  LinkPaper,
  LinkQuestion,
  ListedDate,
  Matter,
  MatterLine,
  MatterPaper,
  Comment,
  Task,
  Me,
  MissingOne,
  Message,
  NoticeCounts,
  NoticeLine,
  NoticeList,
  Paper,
  PageSize,
  PageText,
  Plugin,
  PluginInput,
  PromptChange,
  PromptFileChange,
  PromptPlugin,
  PromptPreview,
  PromptPreviews,
  PromptProblem,
  PromptVariable,
  Provenance,
  Point,
  Provision,
  PublicConfig,
  QuestionMessage,
  Reminder,
  Reply,
  ReplyForm,
  ReplyPoint,
  RequiredDocument,
  Run,
  SavedView,
  SheetEntry,
  SnapshotEvent,
  Step,
  Taxpayer,
  Template,
  TextEvent,
  Triage,
  TriageFile,
  TriagePaper,
  Training,
  Turn,
  TurnEvent,
} from "./generated";
export type { Privacy as PrivacyState } from "./generated";
export type { AuthorityInputBody as NewAuthority } from "./generated";
export {
  acceptInvitation,
  addAuthority,
  addComment,
  addTask,
  analysePaper,
  answerLink,
  approveDraft,
  answerQuestion,
  attachAcknowledgement,
  attachToAuthority,
  becomeOperator,
  blessEvalRun,
  cancelEvalRun,
  changeListed,
  changeMatter,
  changeMember,
  changePassword,
  changeTask,
  beginDraft,
  chooseFigureColumns,
  chooseRegisterColumns,
  confirmRegisterImport,
  classFigure,
  closeFollowUp,
  confirm,
  correctFact,
  createConversation,
  deleteConversation,
  deleteDraft,
  dismissPayment,
  draftReply,
  erase,
  editDraft,
  endOperator,
  filePaper,
  forgetMember,
  forgotPassword,
  foundFirm,
  getBoard,
  getRegisterImport,
  getDraft,
  getExposure,
  getInterview,
  getReply,
  getTriage,
  handOver,
  invite,
  keepTaxpayer,
  leaveFirm,
  listConversations,
  listDrafts,
  listFirmLog,
  addMailSender,
  removeMailSender,
  renewMailAddress,
  settleMail,
  importRegister,
  listClients,
  setMailChoices,
  listMatters,
  lookAtPortal,
  listNotices,
  makeLink,
  noteFiled,
  markAnswered,
  openBatch,
  payInSandbox,
  postMessage,
  putAside,
  removeAuthority,
  removeComment,
  removeFigures,
  removeMember,
  removeView,
  removeTask,
  renameConversation,
  renameFirm,
  renewCalendar,
  resetPassword,
  restoreAuthority,
  restoreConversation,
  restoreDraftVersion,
  returnDraft,
  retryTurn,
  revokeLink,
  runTraining,
  saveView,
  startEvalRun,
  sayToPoint,
  search,
  seePaper,
  seeReminder,
  sendDraft,
  setPrivacy,
  settleComment,
  signIn,
  signOut,
  signOutDevice,
  signOutElsewhere,
  signUp,
  takeBackDraft,
  undoFiled,
  startPayment,
  stopTurn,
  takeOfflineAnswer,
  undeleteDraft,
  undoCorrection,
  wantMail,
  verifyPayment,
  withdrawInvitation,
} from "./generated";
export { ApiError, sentenceOf } from "./errors";
export { idempotencyKey } from "./idempotency";
export { uploadByLink, uploadDocument, uploadToBatch } from "./upload";
export { onWork } from "./work";
export { wordFile };
export { createQueryClient, onNoUseLeft, onWantsIn, reload, sayNoUseLeft, wantIn } from "./queries";

/**
 * What the web app needs to know about the server's configuration, and whether the caller is an operator; it does not
 * change by itself.
 */
export const publicConfigOptions = () => ({ ...configOptions(), staleTime: Infinity });

/** Who is using the app, and what they may use. */
export const meOptions = () => getMeOptions();

/** The firm with its members. */
export const firmOptions = () => getFirmOptions();
export const firmQueryKey = (): QueryKey => getFirmQueryKey();
/** How papers come to the firm by e-mail. */
export const mailInOptions = () => getMailInOptions();
export const mailInQueryKey = (): QueryKey => getMailInQueryKey();
/** Which mails the member gets about the firm's work. */
export const mailChoicesOptions = () => getMailChoicesOptions();
export const mailChoicesQueryKey = () => getMailChoicesQueryKey();
/** Matches every page of the firm's log. */
export const firmLogQueryKey = (): QueryKey => listFirmLogQueryKey();
/** Matches every page of the documents that nobody has checked. */
export const triageQueryKey = (): QueryKey => getTriageQueryKey();
/** The first clients of the firm that match a search, by name. */
export const clientsOptions = (search: string) => ({
  ...listClientsOptions({ query: { search, most: 20 } }),
  placeholderData: keepPreviousData,
});
/** Matches the firm's matters with any filter and search. */
export const mattersQueryKey = (): QueryKey => listMattersQueryKey();
/** Matches the board with any filter. */
export const boardQueryKey = (): QueryKey => getBoardQueryKey();
/** The address of the register of notices as a spreadsheet, with filters. */
export const registerUrl = (filters: Record<string, string>, language: string): string =>
  `${base}/api/register?${new URLSearchParams({ ...filters, language }).toString()}`;
/** The open work of each member. */
export const workloadOptions = () => getWorkloadOptions();
/** Matches every page of the demands in open matters. */
export const exposureQueryKey = (): QueryKey => getExposureQueryKey();
/** Matches every search in papers and drafts. */
export const searchQueryKey = (): QueryKey => everySearchQueryKey({ query: {} });
/** The values by which lists of matters can be filtered. */
export const choicesOptions = () => ({ ...listChoicesOptions(), staleTime: 60_000 });
/** The views that the member saved. */
export const viewsOptions = () => listViewsOptions();
export const viewsQueryKey = (): QueryKey => listViewsQueryKey();
/** A matter with its papers, dates and drafts; its dates are described in the language of answers. */
export const matterOptions = (id: string, language: string) => {
  const { queryKey, ...options } = getMatterOptions({ path: { id } });
  return { ...options, queryKey: [...queryKey, language] as unknown as typeof queryKey };
};
/** Comments about a matter, a draft or a document; without any of them, those that mention the current member. */
export const commentsOptions = (about: { matter?: string; draft?: string; document?: string }) =>
  listCommentsOptions({ query: about });
export const commentsQueryKey = (): QueryKey => listCommentsQueryKey();
/** The tasks of a matter; with "" those of the current member. */
export const tasksOptions = (matter: string) => listTasksOptions({ query: { matter } });
export const tasksQueryKey = (): QueryKey => listTasksQueryKey();
/** Matches every loaded client. */
export const everyClientQueryKey = (): QueryKey => [{ _id: "getClient" }];
export const clientQueryKey = (id: string): QueryKey => getClientQueryKey({ path: { id } });
export const clientOptions = (id: string) => getClientOptions({ path: { id } });
export const registerImportQueryKey = (id: string): QueryKey => getRegisterImportQueryKey({ path: { id } });
/** Matches every loaded matter. */
export const everyMatterQueryKey = (): QueryKey => [{ _id: "getMatter" }];
export const matterQueryKey = (id: string): QueryKey => getMatterQueryKey({ path: { id } });

/** The invitation of a link; a POST, so that the secret appears in no access log. */
export const invitationOptions = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: async ({ signal }) => (await lookAtInvitation({ body: { token }, signal, throwOnError: true })).data,
    gcTime: 0,
  });

/** What the person has used and paid for. */
export const billingOptions = () => getBillingOptions();
/** What the server has verified about an order. */
export const paymentOptions = (order: string) => getPaymentOptions({ path: { order } });
/** The receipt of a payment. */
export const receiptOptions = (order: string) => getReceiptOptions({ path: { order } });
/** A person's choices about their data, and what was done with it. */
export const privacyOptions = () => getPrivacyOptions();
export const privacyQueryKey = (): QueryKey => getPrivacyQueryKey();
/** Downloads everything that is stored about the caller, as a ZIP. */
export const exportEverything = () => wordFile(`${base}/api/export`);
/** The browsers in which a person is signed in. */
export const devicesOptions = () => listDevicesOptions();
export const devicesQueryKey = (): QueryKey => listDevicesQueryKey();
/** The progress of an erasure, loaded again until it is done. */
export const erasureOptions = (id: string) => ({
  ...getErasureOptions({ path: { id } }),
  refetchInterval: ({ state }: { state: { data?: { done: boolean } } }) =>
    state.data?.done === true ? (false as const) : 1500,
});

/** The plugins in use; a new or corrected folder appears without a reload. */
export const pluginsOptions = () => ({
  ...allPluginsOptions(),
  refetchInterval: 10_000,
  select: (list: PluginList) => inOurWords(list),
}); // loaded again each time, since the language may have changed

export const conversationOptions = (id: string) => getConversationOptions({ path: { id } });
export const conversationQueryKey = (id: string): QueryKey => getConversationQueryKey({ path: { id } });

/** Matches the lists for every plugin and search. */
export const conversationsQueryKey = (): QueryKey => listConversationsQueryKey();

// The law changes only with an import, or when a day passes.
const lawIsFresh = { staleTime: 5 * 60_000 };
/** The Acts and Rules with their chapters. */
export const lawOptions = () => ({ ...listLawOptions(), ...lawIsFresh });
/** The provisions that match a search, best first; in all Acts if none is named. */
export const lawSearchOptions = (words: string, act: string) => ({
  ...searchLawOptions({ query: { q: words, limit: 20, ...(act === "" ? {} : { act }) } }),
  ...lawIsFresh,
});
/** A provision as it was on a day; null for today. */
export const provisionOptions = (act: string, number: string, on: string | null) => ({
  ...getProvisionOptions({ path: { act, number }, query: on === null ? {} : { on } }),
  ...lawIsFresh,
});

/** The brief of a notice: its facts, and what follows from them. */
export const briefOptions = (id: string) => getBriefOptions({ path: { id } });
export const briefQueryKey = (id: string): QueryKey => getBriefQueryKey({ path: { id } });

/** The authorities that the person supplied for a conversation. */
export const authoritiesOptions = (id: string) => listAuthoritiesOptions({ path: { id } });
export const authoritiesQueryKey = (id: string): QueryKey => listAuthoritiesQueryKey({ path: { id } });

/** How a notice is answered: its allegations with the answer to each, and the draft. */
export const replyOptions = (id: string) => getReplyOptions({ path: { id } });
export const replyQueryKey = (id: string): QueryKey => getReplyQueryKey({ path: { id } });

/** The files that are compared with a notice, and the result. */
export const figuresOptions = (id: string) => getFiguresOptions({ path: { id } });
export const figuresQueryKey = (id: string): QueryKey => getFiguresQueryKey({ path: { id } });
/** Which of the compared documents to load. */
export type FigureQuery = {
  what: string;
  class: string;
  sort: "" | "amount" | "supplier" | "date";
  q: string;
  skip: number;
  most: number;
};
/** A page of the compared documents. */
export const figureEntriesOptions = (id: string, query: FigureQuery) => {
  const { queryKey, ...options } = getFigureEntriesOptions({ path: { id }, query });
  return { ...options, queryKey: [...figureEntriesQueryKey(id), ...queryKey] as unknown as typeof queryKey };
};
/** Matches every page of the compared documents. */
export const figureEntriesQueryKey = (id: string): QueryKey => ["figure-entries", id];
/** The address of the letters to suppliers, as one Word file. */
export const supplierLettersUrl = (id: string): string =>
  `${base}/api/conversations/${encodeURIComponent(id)}/figures/letters`;
/** The address of the comparison as a workbook in a language. */
export const figuresWorkbookUrl = (id: string, language: string): string =>
  `${base}/api/conversations/${encodeURIComponent(id)}/figures/workbook?language=${language}`;

/** The questions about a notice that only the person can answer, with their answers. */
export const interviewOptions = (id: string) => getInterviewOptions({ path: { id } });
export const interviewQueryKey = (id: string): QueryKey => getInterviewQueryKey({ path: { id } });

/** The links to a notice's interview that were made for clients. */
export const linksOptions = (id: string) => listLinksOptions({ path: { id } });
export const linksQueryKey = (id: string): QueryKey => listLinksQueryKey({ path: { id } });
/** What an interview link shows. */
export const askedOptions = (token: string) => openLinkOptions({ headers: { "Munshi-Link": token } });

/** A draft. */
export const draftOptions = (id: string) => getDraftOptions({ path: { id } });
export const draftQueryKey = (id: string): QueryKey => getDraftQueryKey({ path: { id } });
/** Matches the lists of drafts for every search. */
export const draftsQueryKey = (): QueryKey => listDraftsQueryKey();
/** The drafts that a conversation's turns wrote. */
export const writtenDraftsOptions = (id: string) => listWrittenDraftsOptions({ path: { id } });
/** Registers the titles of the templates in other languages. */
function learned(list: TemplateList): TemplateList {
  for (const { translations } of list.templates ?? []) if (translations !== undefined) learn(translations);
  return list;
}
/** The templates; a new or corrected one appears without a reload. */
export const templatesOptions = () => ({ ...listTemplatesOptions(), staleTime: 10_000, select: learned });
export const draftVersionsOptions = (id: string) => listDraftVersionsOptions({ path: { id } });
export const draftVersionsQueryKey = (id: string): QueryKey => listDraftVersionsQueryKey({ path: { id } });
/** A version of a draft, with what has changed since; now is when the draft was last changed. */
export const draftVersionOptions = (id: string, version: number, now: string) => {
  const { queryKey, ...options } = getDraftVersionOptions({ path: { id, version } });
  return { ...options, queryKey: [...queryKey, now] as unknown as typeof queryKey };
};
/** The address of a draft as a Word file. */
export const draftWordUrl = (id: string): string => `${base}/api/drafts/${encodeURIComponent(id)}/word`;

/** Matches the lists of notices for every view and search. */
export const noticesQueryKey = (): QueryKey => listNoticesQueryKey();

/** Reminders of near dates; loaded regularly. */
export const remindersOptions = () => ({ ...listRemindersOptions(), refetchInterval: 5 * 60_000 });
export const remindersQueryKey = (): QueryKey => listRemindersQueryKey();

/** The address at which calendar programs read the dates of all open notices. */
export const calendarOptions = () => getCalendarOptions();
export const calendarQueryKey = (): QueryKey => getCalendarQueryKey();

const messageUrl = (conversation: string, message: string) =>
  `${base}/api/conversations/${encodeURIComponent(conversation)}/messages/${encodeURIComponent(message)}`;
/** The address of an answer as a Word file. */
export const messageWordUrl = (conversation: string, message: string): string =>
  `${messageUrl(conversation, message)}/word`;
/** The dates in the tables of an answer. */
export const messageDatesOptions = (id: string, message: string) => ({
  ...listMessageDatesOptions({ path: { id, message } }),
  staleTime: Infinity,
});
/** The address of some of those dates, for calendar programs. */
export const messageCalendarUrl = (
  conversation: string,
  message: string,
  numbers: number[],
  language: string,
): string => `${messageUrl(conversation, message)}/dates.ics?pick=${numbers.join(",")}&language=${language}`;

/** The address of the dates of one notice, for calendar programs, in a language. */
export const noticeCalendarUrl = (id: string, language: string): string =>
  `${base}/api/conversations/${encodeURIComponent(id)}/calendar.ics?language=${language}`;

// What operators see is loaded often: a mistake shows soon after the file was saved.
const following = { refetchInterval: 2_000 };
/** The state of the prompts of every plugin. */
export const promptsOptions = () => ({ ...listPromptsOptions(), ...following });
/** The versions of a plugin. */
export const promptVersionsOptions = (plugin: string) => ({
  ...listPromptVersionsOptions({ path: { plugin } }),
  ...following,
});
/** The messages of each prompt of a plugin with its samples, for the version in use and the folder's. */
export const previewsOptions = (plugin: string) => ({ ...previewPromptsOptions({ path: { plugin } }), ...following });
/** The messages of a prompt with other values; typed values are forgotten once nothing shows them. */
export const previewOptions = (plugin: string, sha: string, prompt: string, values: Record<string, string>) =>
  queryOptions({
    queryKey: ["preview", plugin, sha, prompt, values],
    queryFn: async ({ signal }) =>
      (await previewPrompt({ path: { plugin }, body: { sha, prompt, values }, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
  });
/** The recent turns. */
export const runsOptions = () => ({ ...listRunsOptions(), ...following });
/** The accuracy on the built-in examples, loaded again while it is being measured. */
export const trainingOptions = () => ({
  ...getTrainingOptions(),
  refetchInterval: ({ state }: { state: { data?: { state: string } } }) =>
    state.data?.state === "running" ? 500 : (false as const),
});
export const trainingQueryKey = () => getTrainingQueryKey();
/** The latest runs of cases; for operators. */
export const evalRunsOptions = () => ({ ...listEvalRunsOptions(), ...following });
export const evalRunsQueryKey = (): QueryKey => listEvalRunsQueryKey();
/** The scores of each set of cases over time; for operators. */
export const evalHistoryOptions = () => ({ ...getEvalHistoryOptions(), ...following });
/** How well notices of labelled corpora were read; for operators. */
export const evalReadingsOptions = () => ({ ...listEvalReadingsOptions(), ...following });
/** The available cases; for operators. */
export const evalCasesOptions = () => listEvalCasesOptions();
/** A run with its answers and verdicts, loaded again until it has ended; for operators. */
export const evalRunOptions = (id: string) => ({
  ...getEvalRunOptions({ path: { id } }),
  refetchInterval: ({ state }: { state: { data?: { state: string } } }) =>
    ["queued", "running"].includes(state.data?.state ?? "") ? 1_000 : (false as const),
});
export const evalRunQueryKey = (id: string) => getEvalRunQueryKey({ path: { id } });
/** What changed from an earlier run (or from the blessed ones if none is given) to this one; for operators. */
export const evalComparisonOptions = (id: string, before: string | null) =>
  compareEvalRunsOptions({ path: { id }, query: before === null ? {} : { with: before } });
/** The differences between two versions, which never change. */
export const promptChangesOptions = (plugin: string, from: string, to: string) => ({
  ...comparePromptsOptions({ path: { plugin }, query: { from, to } }),
  staleTime: Infinity,
});

/**
 * What models were asked in a turn, for operators. This is a person's text, so it is forgotten once nothing shows it.
 */
export const questionsOptions = (turn: string) => ({
  ...listQuestionsOptions({ path: { id: turn } }),
  staleTime: Infinity,
  gcTime: 0,
});

/** The sizes of a document's pages; read is how many have been read, so that they are loaded again when it grows. */
export const pagesOptions = (document: string, read: number) => {
  const { queryKey, ...options } = listPagesOptions({ path: { id: document } });
  return { ...options, queryKey: [...queryKey, read] as unknown as typeof queryKey, staleTime: Infinity };
};

/** A page's text with the positions of its words; neither changes once the page has been read. */
export const pageOptions = (document: string, number: number) => ({
  ...getPageOptions({ path: { id: document, number } }),
  staleTime: Infinity,
});

/** Where a quote is printed in a document. */
export const quoteOptions = (document: string, page: number | null, quote: string) =>
  queryOptions({
    queryKey: ["quote", document, page, quote],
    queryFn: async ({ signal }) => {
      const body = page === null ? { quote } : { quote, page };
      const { data } = await findQuote({ path: { id: document }, body, signal, throwOnError: true });
      return { page: data.page, boxes: data.boxes ?? [] };
    },
    staleTime: Infinity,
  });

/** The address of a document's PDF, opened at a page if one is given. */
export function documentUrl(id: string, page?: number | null): string {
  const url = `${base}/api/documents/${encodeURIComponent(id)}`;
  return page === undefined || page === null ? url : `${url}#page=${String(page)}`;
}
