/** The parts that every conversation of the product is made of, whatever its plugin. */
export { Composer } from "./Composer";
export { ConversationList } from "./ConversationList";
export { ConversationPage, UploadButton, type FrameParts } from "./ConversationPage";
export { DropArea } from "./DropArea";
export { useDraft } from "./draft";
export { UploadArea } from "./UploadArea";
export { Privacy, Processing, useRefusal } from "./UploadDialog";
export { useBegin } from "./useBegin";
export { useDelete } from "./useDelete";
export { AnswerText, CopyButton, Failure } from "./Answer";
export { blanksIn } from "./blanks";
export { Checked } from "./Checked";
export { placed, toneOf, wordsOf } from "./marks";
export { Steps } from "./Steps";
export type { ConversationView } from "./useConversation";
export { usePickDocument } from "./pick";
export type { Words } from "./words";
export { Questions, QuestionText } from "./Question";
