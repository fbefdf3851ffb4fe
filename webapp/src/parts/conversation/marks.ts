import type { TFunction } from "i18next";
import type { Check } from "@/lib/api";
import { valueOf } from "@/lib/message";

/** A check with a place in the text: start and end are in UTF-16 code units. */
export type Mark = Check & { index: number };

/** How a mark is shown: a discreet tick, a discreet question mark, or a clear warning. */
export type Tone = "good" | "open" | "bad";

/** Returns how to show a check; checks of old answers have no verdict, and count as warnings. */
export function toneOf({ code, verdict }: Check): Tone {
  if (code === "scope" || good.includes(verdict ?? "")) return "good";
  return verdict === "part_unknown" || unseen.includes(verdict ?? "") ? "open" : "bad";
}

const good = ["exists", "supplied", "in_document", "quoted", "in_authority", "answered", "in_files", "worked_out"];
const unseen = ["other_page", "not_in_document", "not_in_notice", "not_held", "in_notice"];

/** Reports whether a mark becomes a footnote when its words are copied, as in Word files. */
export const isNoted = (check: Check) =>
  toneOf(check) !== "good" && check.verdict !== "part_unknown" && check.verdict !== "in_notice";

/** Returns the label of a mark, two or three words. */
export function labelOf(t: TFunction<"conversation">, mark: Mark): string {
  switch (mark.code) {
    case "admission":
    case "claim":
    case "view":
    case "number":
    case "secret":
      return t(`marks.label.${mark.code}`);
  }
  const { verdict = "not_verified" } = mark;
  if (verdict === "answered" || verdict === "in_files" || verdict === "worked_out") return "";
  if (verdict === "other_page" || verdict === "in_authority") return t(`marks.label.${verdict}`, { page: mark.page });
  const fact = valueOf(mark.said, "fact") ?? mark.heading ?? "";
  return verdict === "contradicts" ? t("marks.label.contradicts", { fact }) : t(`marks.label.${verdict}`);
}

/** The maximum length of a quotation in a sentence about it, in characters. */
const longest = 90;

/** Returns the words that a check is about, without Markdown marks. */
export function wordsOf({ quote, code }: Check): string {
  const words = quote.replace(/[*`~]|\b_|_\b|\\(?=[^\w\s])/g, "").replace(/\s+/g, " ");
  if (code !== "quotation" || words.length <= longest) return words;
  return `${words.slice(0, words.lastIndexOf(" ", longest))} …`;
}

/** Returns the checks with a place in the text, in order, each with its number among all checks of the answer. */
export function placed(checks: Check[]): Mark[] {
  return checks.map((check, index) => ({ ...check, index })).filter(({ start, end }) => end > start);
}

const none: Mark[] = [];

/** Assigns marks to the parts of a text, with their positions in each part. */
export function inParts(parts: string[], marks: Mark[]): { text: string; marks: Mark[] }[] {
  let offset = 0;
  return parts.map((text) => {
    const from = offset;
    offset += text.length;
    const here = marks.filter(({ start, end }) => start < offset && end > from);
    return {
      text,
      marks:
        here.length === 0 ? none : here.map((mark) => ({ ...mark, start: mark.start - from, end: mark.end - from })),
    };
  });
}

/** Returns the marks of a text after a part has been removed from it. */
export function without(marks: Mark[], from: number, to: number): Mark[] {
  return marks
    .filter(({ start, end }) => end <= from || start >= to)
    .map((mark) =>
      mark.start >= to ? { ...mark, start: mark.start - (to - from), end: mark.end - (to - from) } : mark,
    );
}

// The parts of the Markdown syntax tree that are needed here.
type Place = { start: { offset?: number | undefined }; end: { offset?: number | undefined } };
type Text = { type: "text"; value: string; position?: Place | undefined };
type Element = {
  type: "element";
  tagName: string;
  properties: Record<string, unknown>;
  children: Node[];
  position?: Place | undefined;
};
type Node = Text | Element | { type: string; children?: Node[] };

/**
 * A rehype plugin that puts each mark around its words, as <mark data-mark>, even if emphasis, links, tables or code
 * split them. It uses the source positions that the parser keeps, and never changes a word.
 */
export function markWords({ marks, source }: { marks: Mark[]; source: string }) {
  return (tree: Node) => {
    if (marks.length > 0) walk(tree, marks, source, lastPieces(tree, marks, source));
  };
}

type Piece = { mark: Mark; from: number; to: number };

/** Returns the pieces of marks in a text node, by offsets in its value. */
function piecesIn(node: Text, parent: Node, marks: Mark[], source: string): Piece[] {
  // the text of a code block has no position
  const place = node.position ?? ("position" in parent ? parent.position : undefined);
  const start = place?.start.offset;
  const end = place?.end.offset;
  if (start === undefined || end === undefined || !marks.some((mark) => mark.start < end && mark.end > start))
    return [];
  const places = align(node.value, source.slice(start, end), start);
  const pieces: Piece[] = [];
  for (const mark of marks) {
    const from = places.findIndex((place) => place >= mark.start && place < mark.end);
    const to = places.findLastIndex((place) => place >= mark.start && place < mark.end) + 1;
    if (from >= 0 && node.value.slice(from, to).trim() !== "") pieces.push({ mark, from, to });
  }
  return pieces;
}

/** Returns the source position of each code unit of a value; it skips escapes, entities and fences. */
function align(value: string, source: string, offset: number): number[] {
  const whole = source.indexOf(value);
  const places: number[] = [];
  let at = Math.max(whole, 0);
  for (const unit of value.split("")) {
    const next = source.indexOf(unit, at);
    // Text that is not found nearby was written differently, such as an entity, and belongs to the current position.
    if (next >= 0 && next - at < 12) at = next;
    places.push(offset + Math.min(at, source.length - 1));
    if (source[at] === unit) at++;
  }
  return places;
}

/** Returns the text node in which each mark ends. */
function lastPieces(tree: Node, marks: Mark[], source: string): Map<number, Node> {
  const last = new Map<number, Node>();
  const look = (parent: Node) => {
    if (!("children" in parent)) return;
    for (const node of parent.children ?? []) {
      if (isText(node)) for (const { mark } of piecesIn(node, parent, marks, source)) last.set(mark.index, node);
      else look(node);
    }
  };
  look(tree);
  return last;
}

const isText = (node: Node): node is Text => node.type === "text";

function walk(node: Node, marks: Mark[], source: string, last: Map<number, Node>, inLink = false): void {
  if (!("children" in node) || node.children === undefined) return;
  node.children = node.children.flatMap((child): Node[] => {
    if (!isText(child)) {
      walk(child, marks, source, last, inLink || ("tagName" in child && child.tagName === "a"));
      return [child];
    }
    const parts: Node[] = [];
    let at = 0;
    for (const { mark, from, to } of piecesIn(child, node, marks, source)) {
      if (from < at) continue;
      if (from > at) parts.push({ type: "text", value: child.value.slice(at, from) });
      const isLast = last.get(mark.index) === child;
      parts.push({
        type: "element",
        tagName: "mark",
        properties: {
          dataMark: mark.index,
          dataLast: isLast ? "true" : undefined,
          dataPlain: inLink ? "true" : undefined,
        },
        children: [{ type: "text", value: child.value.slice(from, to) }],
      });
      at = to;
    }
    if (at < child.value.length) parts.push({ type: "text", value: child.value.slice(at) });
    return parts;
  });
}

/** Returns the id of a mark's element, to jump to it. */
export const markId = (answer: string, index: number) => `mark-${answer}-${String(index)}`;
