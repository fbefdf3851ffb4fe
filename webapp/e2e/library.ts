import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const home = path.resolve(import.meta.dirname, "../..");

/** An invented Act. */
export const malgudi = path.join(home, "orchestrator/law/testdata/malgudi");

/** Returns the folder of a product's imported law, below its state folder. */
export function lawOf(state: string | undefined): string {
  if (state === undefined) throw new Error("the stack was not started");
  return path.join(state, "law");
}

/** Imports files into a library as an operator does, while the product runs. */
export function importLaw(library: string, ...files: string[]): void {
  execFileSync(path.join(home, "bin/munshi"), ["law", "import", ...files], {
    cwd: home,
    env: { ...process.env, MUNSHI_LAW_LIBRARY: library },
    stdio: "pipe",
  });
}

/** Writes a file with invented words for section 16(4), to be imported. */
export function invented(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "invented.jsonl");
  writeFileSync(
    file,
    JSON.stringify({
      act: "cgst",
      unit: "section",
      no: "16",
      heading: "Invented for a test",
      text: "(4) A lamplighter shall ask before ^1[the thirtieth of November].",
      footnotes: ['1. Subs. by Act 6 of 2022, s. 100, for "the first of May" (w.e.f. 1-10-2022).'],
      source: { upstream: "fictional", publisher: "Town of Malgudi", as_on: "2025-04-01" },
    }),
  );
  return file;
}
