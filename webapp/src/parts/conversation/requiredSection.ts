import type { RequiredDocument } from "@/lib/api";

type Section = { start: number; end: number; items: string[] };

const heading = /^[\s#>*_\d.)]*required\s+documents?(?:\(s\))?[\s*_:]*$/i;
const bullet = /^ {0,3}(?:[-*+•]|\d{1,3}[.)])\s+/;

/** Finds the last list of required documents in an answer: its heading and items. */
export function requiredSection(text: string): Section | null {
  const lines = text.split(/(?<=\n)/);
  const first = lines.findLastIndex((line) => heading.test(line.trim()));
  if (first < 0) return null;

  const items: string[] = [];
  let end = first + 1;
  for (let at = first + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const last = items.length - 1;
    if (bullet.test(line)) items.push(line.replace(bullet, ""));
    else if (line.trim() === "") continue;
    else if (/^\s+\S/.test(line) && last >= 0) items[last] = (items[last] ?? "") + line;
    else break;
    end = at + 1;
  }
  if (items.length === 0) return null;
  const offset = (count: number) => lines.slice(0, count).join("").length;
  return { start: offset(first), end: offset(end), items };
}

/**
 * Returns the position of an answer's list of required documents if the block below shows the same entries; null if
 * hiding the list would lose any word.
 */
export function listShownBelow(text: string, documents: RequiredDocument[]): { start: number; end: number } | null {
  const section = documents.length === 0 ? null : requiredSection(text);
  if (section === null) return null;
  const shown = new Set(documents.map(({ type, reason }) => words(type + reason)));
  return section.items.every((item) => shown.has(words(item))) ? { start: section.start, end: section.end } : null;
}

/** Returns the answer without its list of required documents, if the block below shows the same. */
export function withoutList(text: string, documents: RequiredDocument[]): string {
  const list = listShownBelow(text, documents);
  return list === null ? text : `${text.slice(0, list.start)}${text.slice(list.end)}`.trimEnd();
}

/** Keeps only letters and digits, so that formatting and colons do not count. */
function words(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}
