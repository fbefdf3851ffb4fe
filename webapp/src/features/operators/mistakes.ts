import type { PromptPlugin, PromptProblem } from "@/lib/api";

/**
 * A mistake in a file, with the plugins whose folder has it, and the prompts that it stops where it is in a shared
 * text.
 */
export type Mistake = PromptProblem & { plugins: string[]; prompts: string[] };

/** Every mistake once, though several plugins may use the same shared text. */
export function mistakesOf(plugins: PromptPlugin[]): Mistake[] {
  const found = new Map<string, Mistake>();
  for (const { plugin, problems } of plugins) {
    for (const { file, line, column, message, prompts } of problems ?? []) {
      const key = JSON.stringify([file, line, column, message]);
      const known = found.get(key) ?? { file, line, column, message, prompts: [], plugins: [] };
      known.plugins.push(plugin);
      known.prompts.push(...(prompts ?? []));
      found.set(key, known);
    }
  }
  return [...found.values()];
}
