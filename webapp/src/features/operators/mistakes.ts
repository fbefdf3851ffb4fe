import type { PromptPlugin, PromptProblem } from "@/lib/api";

/** A mistake in a file, with the plugins whose folders have it and, in a shared text, the prompts that it breaks. */
export type Mistake = PromptProblem & { plugins: string[]; prompts: string[] };

/** Returns every mistake once, even if several plugins use the same shared text. */
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
