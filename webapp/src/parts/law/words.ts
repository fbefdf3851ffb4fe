import type { LawMark } from "@/lib/api";

/** A piece of a paragraph; mark is set if an amendment inserted it or, if the text is empty, removed text there. */
export type Piece = { text: string; mark: number | null };

/**
 * Splits the official text into paragraphs, and at the marks of amendments, which are given by their numbers in the
 * list. For nested amendments a piece has the innermost mark.
 */
export function paragraphsOf(words: string, marks: LawMark[]): Piece[][] {
  let start = 0;
  return words.split("\n").map((paragraph) => {
    const from = start;
    const to = from + paragraph.length;
    start = to + 1;
    const gone = marks.map((mark, index) => ({ ...mark, index })).filter(({ start, end }) => start === end);
    const put = marks.map((mark, index) => ({ ...mark, index })).filter(({ start, end }) => start < end);
    const cuts = new Set([from, to]);
    for (const { start, end } of [...put, ...gone])
      for (const at of [start, end]) if (at > from && at < to) cuts.add(at);
    const pieces: Piece[] = [];
    const taken = (at: number) => {
      for (const { start, index } of gone) if (start === at) pieces.push({ text: "", mark: index });
    };
    const places = [...cuts].sort((a, b) => a - b);
    taken(from);
    for (const [index, at] of places.entries()) {
      const next = places[index + 1];
      if (next === undefined) break;
      const around = put
        .filter(({ start, end }) => start <= at && end >= next)
        .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
      pieces.push({ text: words.slice(at, next), mark: around?.index ?? null });
      taken(next);
    }
    return pieces.length === 0 ? [{ text: "", mark: null }] : pieces;
  });
}
