import type { LawMark } from "@/lib/api";

/** A piece of a paragraph; marked where an amendment put words, or, without words, where it took some away. */
export type Piece = { text: string; mark: number | null };

/**
 * The official words in paragraphs, cut where amendments have their marks, by the numbers that these have in the list.
 * Of amendments within one another a piece has the innermost.
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
