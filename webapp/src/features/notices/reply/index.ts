/** The reply to a notice: its allegations with the answer to each, and the draft. */
export { ReplyView } from "./ReplyView";
