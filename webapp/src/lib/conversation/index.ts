/** The parts that every conversation of the product is made of, whatever its plugin. */
export { Answer, CopyButton, Failure } from "./Answer";
export { Composer } from "./Composer";
export { LiveTurn } from "./LiveTurn";
export { Thread } from "./Thread";
export { useConversation, type ConversationView } from "./useConversation";
