/** What members of a firm say to each other about a matter, a draft or a document. */
export { Comments, Place } from "./Comments";
export { useComments } from "./useComments";
