/** Notice Analysis: upload a GST notice, and get a checked analysis. */
export { ChoicesPage } from "./brief";
export { NoticePage } from "./NoticePage";
export { NoticesPage } from "./NoticesPage";
export { Reminders } from "./Reminders";
