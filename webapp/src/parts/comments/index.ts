/** The comments of a firm's members about a matter, a draft or a document. */
export { Comments, Place } from "./Comments";
export { useComments } from "./useComments";
