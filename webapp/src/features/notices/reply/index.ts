/** The reply to a notice: its allegations with what is said to each, and the draft. */
export { ReplyView } from "./ReplyView";
