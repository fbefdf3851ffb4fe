export { ErasedPage } from "./ErasedPage";
export { PrivacyPage } from "./PrivacyPage";
