/** The Acts and Rules, to browse, search, and read as they were on a day. */
export { LawPage } from "./LawPage";
export { ProvisionPage } from "./ProvisionPage";
