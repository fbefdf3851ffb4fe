import type { Draft, DraftPart } from "@/lib/api";
import { blanksIn, placed, toneOf, type Mark } from "@/parts/conversation";

export const partsOf = ({ parts }: Draft): DraftPart[] => parts ?? [];

/** Returns a draft as one Markdown text, put together as on the server. */
export function textOf(draft: Draft): string {
  return partsOf(draft)
    .filter(({ text }) => text.trim() !== "")
    .map(({ title, text }) => (title === "" ? text.trim() : `## ${title}\n\n${text.trim()}`))
    .join("\n\n");
}

/** Returns the checks of a draft, with positions in textOf. */
export function marksOf(draft: Draft): Mark[] {
  const marks: Mark[] = [];
  let from = 0;
  for (const { title, text, checks } of partsOf(draft)) {
    const words = text.trim();
    if (words === "") continue;
    const lead = (title === "" ? 0 : title.length + 5) - text.indexOf(words);
    for (const mark of placed(checks ?? []))
      marks.push({ ...mark, start: mark.start + from + lead, end: mark.end + from + lead, index: marks.length });
    from += (title === "" ? 0 : title.length + 5) + words.length + 2;
  }
  return marks;
}

/** Counts what must still be checked in a draft: blanks, and what could not be verified. */
export function openOf(draft: Draft): { blanks: number; unverified: number } {
  let blanks = 0;
  let unverified = 0;
  for (const { text, checks } of partsOf(draft)) {
    blanks += blanksIn(text).length;
    unverified += (checks ?? []).filter((check) => toneOf(check) === "bad").length;
  }
  return { blanks, unverified };
}
