/** A line of a unified diff. */
export type DiffLine = { kind: "added" | "removed" | "same" | "gap"; text: string };

/** Returns the lines of a unified diff without the two lines with names. */
export function diffLines(diff: string): DiffLine[] {
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .slice(2)
    .map((line) => {
      if (line.startsWith("@@")) return { kind: "gap", text: line };
      const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
      return { kind, text: line.startsWith("\\") ? line : line.slice(1) };
    });
}
