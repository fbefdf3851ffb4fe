/** Draft History: all documents that were written for the person. */
export { DraftList } from "./DraftList";
export { DraftPage } from "./DraftPage";
export { DraftsPage } from "./DraftsPage";
