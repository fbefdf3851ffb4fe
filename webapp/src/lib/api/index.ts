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

/** The one door to the server: the generated client under the names that the app uses. */
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
  Draft,
  DraftLine,
  DraftPart,
  DraftVersion,
  FigureAllegation,
  FigureClass,
  FigureEntry,
  FigureFile,
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
  importRegister,
  listClients,
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
export { createQueryClient, onNoUseLeft, onWantsIn, sayNoUseLeft, wantIn } from "./queries";

/**
 * What the web app needs to know of the server's configuration, and whether an operator asks; it does not change by
 * itself.
 */
export const publicConfigOptions = () => ({ ...configOptions(), staleTime: Infinity });

/** Who asks, and what they may use. */
export const meOptions = () => getMeOptions();

/** The firm with who works in it. */
export const firmOptions = () => getFirmOptions();
export const firmQueryKey = (): QueryKey => getFirmQueryKey();
/** Matches every part of the firm's log. */
export const firmLogQueryKey = (): QueryKey => listFirmLogQueryKey();
/** Matches every part of what was uploaded and nobody has looked at. */
export const triageQueryKey = (): QueryKey => getTriageQueryKey();
/** The first of the firm's clients whom a search finds, by name. */
export const clientsOptions = (search: string) => ({
  ...listClientsOptions({ query: { search, most: 20 } }),
  placeholderData: keepPreviousData,
});
/** Matches the firm's matters of every filter and search. */
export const mattersQueryKey = (): QueryKey => listMattersQueryKey();
/** Matches the board of every filter. */
export const boardQueryKey = (): QueryKey => getBoardQueryKey();
/** Where the register of notices is as a spreadsheet, of the matters that filters leave. */
export const registerUrl = (filters: Record<string, string>, language: string): string =>
  `${base}/api/register?${new URLSearchParams({ ...filters, language }).toString()}`;
/** What each member answers for. */
export const workloadOptions = () => getWorkloadOptions();
/** Matches every page of what is demanded in open matters. */
export const exposureQueryKey = (): QueryKey => getExposureQueryKey();
/** Matches every search in papers and drafts. */
export const searchQueryKey = (): QueryKey => everySearchQueryKey({ query: {} });
/** What lists of matters can be narrowed to. */
export const choicesOptions = () => ({ ...listChoicesOptions(), staleTime: 60_000 });
/** The views of lists that the member keeps. */
export const viewsOptions = () => listViewsOptions();
export const viewsQueryKey = (): QueryKey => listViewsQueryKey();
/** A matter with its papers, days and drafts; what its days are is in the language of answers. */
export const matterOptions = (id: string, language: string) => {
  const { queryKey, ...options } = getMatterOptions({ path: { id } });
  return { ...options, queryKey: [...queryKey, language] as unknown as typeof queryKey };
};
/** Comments about a matter, a draft or a document; about nothing: those that mention whoever asks. */
export const commentsOptions = (about: { matter?: string; draft?: string; document?: string }) =>
  listCommentsOptions({ query: about });
export const commentsQueryKey = (): QueryKey => listCommentsQueryKey();
/** What is to be done in a matter, with "" by whoever asks. */
export const tasksOptions = (matter: string) => listTasksOptions({ query: { matter } });
export const tasksQueryKey = (): QueryKey => listTasksQueryKey();
/** Matches every matter that was read. */
/** All that is read of clients, and of one. */
export const everyClientQueryKey = (): QueryKey => [{ _id: "getClient" }];
export const clientQueryKey = (id: string): QueryKey => getClientQueryKey({ path: { id } });
export const clientOptions = (id: string) => getClientOptions({ path: { id } });
export const registerImportQueryKey = (id: string): QueryKey => getRegisterImportQueryKey({ path: { id } });
export const everyMatterQueryKey = (): QueryKey => [{ _id: "getMatter" }];
export const matterQueryKey = (id: string): QueryKey => getMatterQueryKey({ path: { id } });

/** What the link of an invitation invites to; by a POST, so that the secret is in no log of addresses. */
export const invitationOptions = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: async ({ signal }) => (await lookAtInvitation({ body: { token }, signal, throwOnError: true })).data,
    gcTime: 0,
  });

/** What the person has used and paid. */
export const billingOptions = () => getBillingOptions();
/** What the server has verified of an order. */
export const paymentOptions = (order: string) => getPaymentOptions({ path: { order } });
/** What stands on the receipt of a payment. */
export const receiptOptions = (order: string) => getReceiptOptions({ path: { order } });
/** What someone has said of their data, and what was done with it. */
export const privacyOptions = () => getPrivacyOptions();
export const privacyQueryKey = (): QueryKey => getPrivacyQueryKey();
/** Everything that is kept of whoever asks, as a ZIP. */
export const exportEverything = () => wordFile(`${base}/api/export`);
/** Where a person is signed in. */
export const devicesOptions = () => listDevicesOptions();
export const devicesQueryKey = (): QueryKey => listDevicesQueryKey();
/** How far an erasure is, asked again until it is done. */
export const erasureOptions = (id: string) => ({
  ...getErasureOptions({ path: { id } }),
  refetchInterval: ({ state }: { state: { data?: { done: boolean } } }) =>
    state.data?.done === true ? (false as const) : 1500,
});

/** The plugins that serve; a folder that is dropped in or mended shows without a reload. */
export const pluginsOptions = () => ({
  ...allPluginsOptions(),
  refetchInterval: 10_000,
  select: (list: PluginList) => inOurWords(list),
}); // anew each time, since the language may have changed

export const conversationOptions = (id: string) => getConversationOptions({ path: { id } });
export const conversationQueryKey = (id: string): QueryKey => getConversationQueryKey({ path: { id } });

/** Matches the lists of every plugin and search. */
export const conversationsQueryKey = (): QueryKey => listConversationsQueryKey();

// What the law says changes with an import, or as a day passes, and with nothing that is done here.
const lawIsFresh = { staleTime: 5 * 60_000 };
/** The Acts and Rules with their chapters. */
export const lawOptions = () => ({ ...listLawOptions(), ...lawIsFresh });
/** The provisions that words are about, best first; in all Acts where none is named. */
export const lawSearchOptions = (words: string, act: string) => ({
  ...searchLawOptions({ query: { q: words, limit: 20, ...(act === "" ? {} : { act }) } }),
  ...lawIsFresh,
});
/** A provision as it stood on a day, today where that is null. */
export const provisionOptions = (act: string, number: string, on: string | null) => ({
  ...getProvisionOptions({ path: { act, number }, query: on === null ? {} : { on } }),
  ...lawIsFresh,
});

/** What the program is sure of about a notice, and what follows from it. */
export const briefOptions = (id: string) => getBriefOptions({ path: { id } });
export const briefQueryKey = (id: string): QueryKey => getBriefQueryKey({ path: { id } });

/** What the person relies on in a conversation. */
export const authoritiesOptions = (id: string) => listAuthoritiesOptions({ path: { id } });
export const authoritiesQueryKey = (id: string): QueryKey => listAuthoritiesQueryKey({ path: { id } });

/** How a notice is answered: its allegations with what is said to each, and the draft. */
export const replyOptions = (id: string) => getReplyOptions({ path: { id } });
export const replyQueryKey = (id: string): QueryKey => getReplyQueryKey({ path: { id } });

/** The files that are held against a notice, and what they come to. */
export const figuresOptions = (id: string) => getFiguresOptions({ path: { id } });
export const figuresQueryKey = (id: string): QueryKey => getFiguresQueryKey({ path: { id } });
/** Which of the documents are wanted. */
export type FigureQuery = {
  what: string;
  class: string;
  sort: "" | "amount" | "supplier" | "date";
  q: string;
  skip: number;
  most: number;
};
/** A page of the documents of the comparison. */
export const figureEntriesOptions = (id: string, query: FigureQuery) => {
  const { queryKey, ...options } = getFigureEntriesOptions({ path: { id }, query });
  return { ...options, queryKey: [...figureEntriesQueryKey(id), ...queryKey] as unknown as typeof queryKey };
};
/** Matches every page of them. */
export const figureEntriesQueryKey = (id: string): QueryKey => ["figure-entries", id];
/** Where the letters to suppliers are, as one Word file. */
export const supplierLettersUrl = (id: string): string =>
  `${base}/api/conversations/${encodeURIComponent(id)}/figures/letters`;
/** Where the comparison is as a workbook in a language. */
export const figuresWorkbookUrl = (id: string, language: string): string =>
  `${base}/api/conversations/${encodeURIComponent(id)}/figures/workbook?language=${language}`;

/** What only the person can tell of a notice, with what they have told. */
export const interviewOptions = (id: string) => getInterviewOptions({ path: { id } });
export const interviewQueryKey = (id: string): QueryKey => getInterviewQueryKey({ path: { id } });

/** The links to the interview of a notice that were given to clients. */
export const linksOptions = (id: string) => listLinksOptions({ path: { id } });
export const linksQueryKey = (id: string): QueryKey => listLinksQueryKey({ path: { id } });
/** What is asked of who was given a link. */
export const askedOptions = (token: string) => openLinkOptions({ headers: { "Munshi-Link": token } });

/** A document that was written for the person and that they keep. */
export const draftOptions = (id: string) => getDraftOptions({ path: { id } });
export const draftQueryKey = (id: string): QueryKey => getDraftQueryKey({ path: { id } });
/** Matches the lists of drafts of every search. */
export const draftsQueryKey = (): QueryKey => listDraftsQueryKey();
/** The drafts that a conversation's turns wrote, each as a document of its own. */
export const writtenDraftsOptions = (id: string) => listWrittenDraftsOptions({ path: { id } });
/** Learns what the templates are called in other languages. */
function learned(list: TemplateList): TemplateList {
  for (const { translations } of list.templates ?? []) if (translations !== undefined) learn(translations);
  return list;
}
/** The documents that a draft may begin from; one that was mended or added shows without a reload. */
export const templatesOptions = () => ({ ...listTemplatesOptions(), staleTime: 10_000, select: learned });
export const draftVersionsOptions = (id: string) => listDraftVersionsOptions({ path: { id } });
export const draftVersionsQueryKey = (id: string): QueryKey => listDraftVersionsQueryKey({ path: { id } });
/** A version of a draft, with what has changed since it; now is when it was last changed. */
export const draftVersionOptions = (id: string, version: number, now: string) => {
  const { queryKey, ...options } = getDraftVersionOptions({ path: { id, version } });
  return { ...options, queryKey: [...queryKey, now] as unknown as typeof queryKey };
};
/** Where a draft is as a Word file. */
export const draftWordUrl = (id: string): string => `${base}/api/drafts/${encodeURIComponent(id)}/word`;

/** Matches the lists of notices of every view and search. */
export const noticesQueryKey = (): QueryKey => listNoticesQueryKey();

/** Reply dates that are near; they come by themselves. */
export const remindersOptions = () => ({ ...listRemindersOptions(), refetchInterval: 5 * 60_000 });
export const remindersQueryKey = (): QueryKey => listRemindersQueryKey();

/** The address under which calendar programs read the days of all open notices. */
export const calendarOptions = () => getCalendarOptions();
export const calendarQueryKey = (): QueryKey => getCalendarQueryKey();

const messageUrl = (conversation: string, message: string) =>
  `${base}/api/conversations/${encodeURIComponent(conversation)}/messages/${encodeURIComponent(message)}`;
/** Where an answer is as a Word file. */
export const messageWordUrl = (conversation: string, message: string): string =>
  `${messageUrl(conversation, message)}/word`;
/** The dates that an answer lists in a table. */
export const messageDatesOptions = (id: string, message: string) => ({
  ...listMessageDatesOptions({ path: { id, message } }),
  staleTime: Infinity,
});
/** Where some of those dates are, for a calendar program. */
export const messageCalendarUrl = (
  conversation: string,
  message: string,
  numbers: number[],
  language: string,
): string => `${messageUrl(conversation, message)}/dates.ics?pick=${numbers.join(",")}&language=${language}`;

/** Where the days of one notice are, for a calendar program, in a language. */
export const noticeCalendarUrl = (id: string, language: string): string =>
  `${base}/api/conversations/${encodeURIComponent(id)}/calendar.ics?language=${language}`;

// What operators see follows the files: a mistake shows soon after the save that made it.
const following = { refetchInterval: 2_000 };
/** How the prompts of every plugin stand. */
export const promptsOptions = () => ({ ...listPromptsOptions(), ...following });
/** The versions of a plugin. */
export const promptVersionsOptions = (plugin: string) => ({
  ...listPromptVersionsOptions({ path: { plugin } }),
  ...following,
});
/** What each prompt of a plugin would ask with its samples, by the version that serves and by the folder's. */
export const previewsOptions = (plugin: string) => ({ ...previewPromptsOptions({ path: { plugin } }), ...following });
/** What a prompt would ask with other values; what was typed is forgotten when nobody looks. */
export const previewOptions = (plugin: string, sha: string, prompt: string, values: Record<string, string>) =>
  queryOptions({
    queryKey: ["preview", plugin, sha, prompt, values],
    queryFn: async ({ signal }) =>
      (await previewPrompt({ path: { plugin }, body: { sha, prompt, values }, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
  });
/** Which turns ran of late. */
export const runsOptions = () => ({ ...listRunsOptions(), ...following });
/** The accuracy over the built-in examples, asked again while it is measured. */
export const trainingOptions = () => ({
  ...getTrainingOptions(),
  refetchInterval: ({ state }: { state: { data?: { state: string } } }) =>
    state.data?.state === "running" ? 500 : (false as const),
});
export const trainingQueryKey = () => getTrainingQueryKey();
/** The latest runs of cases; for operators. */
export const evalRunsOptions = () => ({ ...listEvalRunsOptions(), ...following });
export const evalRunsQueryKey = (): QueryKey => listEvalRunsQueryKey();
/** How each set of cases went over time; for operators. */
export const evalHistoryOptions = () => ({ ...getEvalHistoryOptions(), ...following });
/** How well notices of labelled corpora were read; for operators. */
export const evalReadingsOptions = () => ({ ...listEvalReadingsOptions(), ...following });
/** Which cases there are; for operators. */
export const evalCasesOptions = () => listEvalCasesOptions();
/** A run with its answers and verdicts, asked again until it has ended; for operators. */
export const evalRunOptions = (id: string) => ({
  ...getEvalRunOptions({ path: { id } }),
  refetchInterval: ({ state }: { state: { data?: { state: string } } }) =>
    ["queued", "running"].includes(state.data?.state ?? "") ? 1_000 : (false as const),
});
export const evalRunQueryKey = (id: string) => getEvalRunQueryKey({ path: { id } });
/** What changed from an earlier run, or from the blessed ones where none is given, to this one; for operators. */
export const evalComparisonOptions = (id: string, before: string | null) =>
  compareEvalRunsOptions({ path: { id }, query: before === null ? {} : { with: before } });
/** How two versions differ, which does not change. */
export const promptChangesOptions = (plugin: string, from: string, to: string) => ({
  ...comparePromptsOptions({ path: { plugin }, query: { from, to } }),
  staleTime: Infinity,
});

/** What the model was asked in a turn; for operators. A person's words: they are not kept when nobody looks. */
export const questionsOptions = (turn: string) => ({
  ...listQuestionsOptions({ path: { id: turn } }),
  staleTime: Infinity,
  gcTime: 0,
});

/** The sizes of a document's pages; read counts those that were read, so that they are asked for again as it grows. */
export const pagesOptions = (document: string, read: number) => {
  const { queryKey, ...options } = listPagesOptions({ path: { id: document } });
  return { ...options, queryKey: [...queryKey, read] as unknown as typeof queryKey, staleTime: Infinity };
};

/** A page's text and where its words stand, which does not change once it was read. */
export const pageOptions = (document: string, number: number) => ({
  ...getPageOptions({ path: { id: document, number } }),
  staleTime: Infinity,
});

/** Where words stand in a document. */
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

/** Where a document's PDF is, opened at a page when one is given. */
export function documentUrl(id: string, page?: number | null): string {
  const url = `${base}/api/documents/${encodeURIComponent(id)}`;
  return page === undefined || page === null ? url : `${url}#page=${String(page)}`;
}
