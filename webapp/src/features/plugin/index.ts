/** The generic view for plugins without a view of their own: a form and conversations, as the manifest says. */
export { PluginConversation } from "./PluginConversation";
export { PluginHome } from "./PluginHome";
