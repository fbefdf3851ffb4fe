import { safeUrl } from "./urls";

/** The footnote number after marked words in copied text. */
const numbered = (at: number) => `[${String(at + 1)}]`;

/** Returns a text with footnote numbers at these places, and the notes below it. */
export function withFootnotes(text: string, notes: { end: number; note: string }[], title: string): string {
  if (notes.length === 0) return text;
  const places = notes.map(({ end }, index) => ({ end, index })).sort((a, b) => b.end - a.end || b.index - a.index);
  let all = text;
  for (const { end, index } of places) all = all.slice(0, end) + numbered(index) + all.slice(end);
  return `${all.trimEnd()}\n\n${title}\n${notes.map(({ note }, index) => `${numbered(index)} ${note}`).join("\n")}\n`;
}

/** Returns the notes as elements, to be added below copied content. */
export function notesBelow(notes: string[], title: string): HTMLElement {
  const below = document.createElement("div");
  below.append(paragraph(title), ...notes.map((note, index) => paragraph(`${numbered(index)} ${note}`)));
  return below;
}

export function numberOf(index: number): HTMLElement {
  const sign = document.createElement("sup");
  sign.textContent = numbered(index);
  return sign;
}

function paragraph(text: string): HTMLElement {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

/**
 * Copies a selection with marked words, with footnotes instead of the labels on screen; a selection without marks, or
 * in a field, is left to the browser. It listens on the document, since a selection may start in one answer and end in
 * another.
 */
export function copySelection(event: ClipboardEvent, title: string): void {
  const selection = document.getSelection();
  const inField =
    event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]") !== null;
  if (event.defaultPrevented || event.clipboardData === null || inField || (selection?.rangeCount ?? 0) === 0) return;
  const range = selection?.getRangeAt(0);
  if (range === undefined || range.collapsed) return;
  const marked = Array.from(document.querySelectorAll<HTMLElement>("[data-note]")).filter((each) =>
    touches(range, each),
  );
  if (marked.length === 0) return;

  const copy = document.createElement("div");
  copy.append(range.cloneContents());
  for (const label of copy.querySelectorAll("[data-label]")) label.remove();
  const there = Array.from(copy.querySelectorAll<HTMLElement>("[data-note]"));
  const notes: string[] = [];
  for (const each of marked) {
    const note = each.dataset.note ?? "";
    const index = notes.push(note) - 1;
    // A selection only inside marked words does not include their element.
    const words = there.find((other) => other.dataset.note === note && other.dataset.noted === undefined);
    if (words === undefined) copy.append(numberOf(index));
    else {
      words.dataset.noted = "";
      words.after(numberOf(index));
    }
  }
  const text = plainText(copy).trim();
  copy.append(notesBelow(notes, title));
  for (const drawing of copy.querySelectorAll("svg")) drawing.remove();
  // A link within the app would not work in a mail.
  const words = Array.from(copy.querySelectorAll("button, a")).filter(
    (each) => safeUrl(each.getAttribute("href") ?? "") === "",
  );
  for (const each of words) each.replaceWith(...each.childNodes);
  for (const each of copy.querySelectorAll("*"))
    for (const name of each.getAttributeNames()) if (name !== "href") each.removeAttribute(name);
  const below = notes.map((note, index) => `${numbered(index)} ${note}`).join("\n");
  event.clipboardData.setData("text/plain", `${text}\n\n${title}\n${below}\n`);
  event.clipboardData.setData("text/html", copy.innerHTML);
  event.preventDefault();
}

/** Reports whether a range includes more of an element than its edge. */
function touches(range: Range, element: Element): boolean {
  if (!range.intersectsNode(element)) return false;
  const inside = document.createRange();
  inside.selectNodeContents(element);
  return (
    range.compareBoundaryPoints(Range.END_TO_START, inside) < 0 &&
    range.compareBoundaryPoints(Range.START_TO_END, inside) > 0
  );
}

const blocks = new Set(["P", "H1", "H2", "H3", "H4", "H5", "H6", "UL", "OL", "TABLE", "BLOCKQUOTE", "PRE", "SECTION"]);

/**
 * Returns the text of elements as a browser would copy it: blank lines between blocks, line breaks between rows, tabs
 * between cells.
 */
function plainText(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) {
    const words = node.nodeValue ?? "";
    if (node.parentElement?.closest("pre")) return words;
    return words.trim() === "" && words.includes("\n") ? "" : words.replace(/\s+/g, " ");
  }
  const inner = Array.from(node.childNodes, plainText).join("");
  switch (node.nodeName) {
    case "BR":
      return "\n";
    case "LI":
      return `- ${inner.trim()}\n`;
    case "TR":
      return `${inner.trim()}\n`;
    case "TD":
    case "TH":
      return `${inner.trim()}\t`;
  }
  return blocks.has(node.nodeName) ? `${inner.trim()}\n\n` : inner;
}
