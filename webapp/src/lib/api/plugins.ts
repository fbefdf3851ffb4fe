import { learn, told } from "@/lib/told";
import type { PluginList } from "./generated";

const learned = new WeakSet<PluginList>();

/** The plugins with their texts in the language that is spoken, where their manifests have them in it. */
export function inOurWords(list: PluginList): PluginList {
  if (!learned.has(list)) {
    for (const { translations } of list.plugins ?? []) if (translations !== undefined) learn(translations);
    learned.add(list);
  }
  return {
    ...list,
    plugins: (list.plugins ?? []).map((plugin) => ({
      ...plugin,
      title: told(plugin.title),
      view: Object.fromEntries(
        Object.entries(plugin.view).map(([name, text]) => [name, told(text)]),
      ) as typeof plugin.view,
      inputs: (plugin.inputs ?? []).map((input) => ({
        ...input,
        title: told(input.title),
        hint: told(input.hint),
        placeholder: told(input.placeholder),
        choices: (input.choices ?? []).map((choice) => ({ ...choice, title: told(choice.title) })),
      })),
      turns: (plugin.turns ?? []).map((turn) => ({ ...turn, title: told(turn.title) })),
    })),
  };
}
