/** AI Drafting: a form that says what to draft, and the draft while and after it is written. */
export { DraftingHome } from "./DraftingHome";
export { DraftingResult } from "./DraftingResult";
