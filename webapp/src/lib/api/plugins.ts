import { learn, term } from "@/lib/terms";
import type { PluginList } from "./generated";

const learned = new WeakSet<PluginList>();

/** Returns the plugins with their texts in the current language, as far as their manifests have translations. */
export function inOurWords(list: PluginList): PluginList {
  if (!learned.has(list)) {
    for (const { translations } of list.plugins ?? []) if (translations !== undefined) learn(translations);
    learned.add(list);
  }
  return {
    ...list,
    plugins: (list.plugins ?? []).map((plugin) => ({
      ...plugin,
      title: term(plugin.title),
      view: Object.fromEntries(
        Object.entries(plugin.view).map(([name, text]) => [name, term(text)]),
      ) as typeof plugin.view,
      inputs: (plugin.inputs ?? []).map((input) => ({
        ...input,
        title: term(input.title),
        hint: term(input.hint),
        placeholder: term(input.placeholder),
        choices: (input.choices ?? []).map((choice) => ({ ...choice, title: term(choice.title) })),
      })),
      turns: (plugin.turns ?? []).map((turn) => ({ ...turn, title: term(turn.title) })),
    })),
  };
}
