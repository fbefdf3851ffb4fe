/** AI Drafting: a form that says what is to be drafted, and the draft while and after it is written. */
export { DraftingHome } from "./DraftingHome";
export { DraftingResult } from "./DraftingResult";
