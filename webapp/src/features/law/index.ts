/** The Acts and Rules: to be looked through, searched, and read as they stood on a day. */
export { LawPage } from "./LawPage";
export { ProvisionPage } from "./ProvisionPage";
