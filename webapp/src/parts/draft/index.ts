/**
 * A draft that a person keeps, whatever wrote it: read, edited part by part, compared with its versions, and taken out.
 */
export { Conflict } from "./Conflict";
export { DraftView } from "./DraftView";
export type { Undecided } from "./Export";
export { useKept } from "./kept";
export { openOf } from "./text";
