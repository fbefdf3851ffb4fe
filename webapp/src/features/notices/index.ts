/** Notice Analysis: a GST notice goes in, a checked analysis comes out. */
export { ChoicesPage } from "./brief";
export { NoticePage } from "./NoticePage";
export { NoticesPage } from "./NoticesPage";
export { Reminders } from "./Reminders";
