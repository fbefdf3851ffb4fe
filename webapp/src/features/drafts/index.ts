/** Draft History: every document that was written for the person. */
export { DraftList } from "./DraftList";
export { DraftPage } from "./DraftPage";
export { DraftsPage } from "./DraftsPage";
