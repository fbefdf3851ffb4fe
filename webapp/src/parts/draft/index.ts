/** A draft, however it was written: read, edited part by part, compared with its versions, and exported. */
export { Conflict } from "./Conflict";
export { DraftView } from "./DraftView";
export type { Undecided } from "./Export";
export { useKept } from "./kept";
export { openOf } from "./text";
