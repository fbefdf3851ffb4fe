import type { PromptPlugin, PromptProblem } from "@/lib/api";

/** A mistake in a file, with the plugins that use the file. */
export type Mistake = PromptProblem & { plugins: string[] };

/** Every mistake once, though several plugins may use the same shared text. */
export function mistakesOf(plugins: PromptPlugin[]): Mistake[] {
  const found = new Map<string, Mistake>();
  for (const { plugin, problems } of plugins) {
    for (const problem of problems ?? []) {
      const key = JSON.stringify(problem);
      const known = found.get(key);
      if (known === undefined) found.set(key, { ...problem, plugins: [plugin] });
      else known.plugins.push(plugin);
    }
  }
  return [...found.values()];
}
