/** Templates: documents that a draft may begin from, filled in with what is known of a notice. */
export { TemplateList } from "./TemplateList";
export { TemplatePage } from "./TemplatePage";
export { TemplatesPage } from "./TemplatesPage";
