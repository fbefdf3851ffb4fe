import type { Plugin } from "@/lib/api";
import { AuthoritiesButton } from "@/parts/authorities";
import { ConversationPage } from "@/parts/conversation";
import { useChoices } from "./PluginHome";
import { homeOf, inputsOf, useWords } from "./words";

/** A conversation of a plugin without a view of its own. */
export function PluginConversation({ plugin, id }: { plugin: Plugin; id: string }) {
  const words = useWords(plugin);
  const choices = useChoices(plugin, id);
  return (
    <ConversationPage
      id={id}
      home={homeOf(plugin)}
      words={words}
      takes={{ documents: inputsOf(plugin, "document") !== null, questions: inputsOf(plugin, "chat") !== null }}
      choices={choices}
      named
      Authorities={plugin.authorities ? AuthoritiesButton : undefined}
    />
  );
}
