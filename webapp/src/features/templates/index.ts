/** Templates: documents from which a draft may start, filled in with what is known about a notice. */
export { TemplateList } from "./TemplateList";
export { TemplatePage } from "./TemplatePage";
export { TemplatesPage } from "./TemplatesPage";
