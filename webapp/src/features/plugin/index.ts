/** The view of every plugin that has none of its own: a form and conversations, as its manifest says. */
export { PluginConversation } from "./PluginConversation";
export { PluginHome } from "./PluginHome";
