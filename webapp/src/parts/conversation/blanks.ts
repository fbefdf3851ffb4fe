// A blank for what nobody supplied, "[…]" or "[… what]", or something to be confirmed before sending.
const blank = /\[(?:…|\.{3}|To be confirmed)[^\]\n]*\]/g;

/** Returns the offsets of the blanks in a text. */
export function blanksIn(text: string): { from: number; to: number }[] {
  return [...text.matchAll(blank)].map(({ index, 0: words }) => ({ from: index, to: index + words.length }));
}

// The parts of the Markdown syntax tree that are needed here.
type Text = { type: "text"; value: string };
type Element = { type: "element"; tagName: string; properties: Record<string, unknown>; children: Node[] };
type Node = Text | Element | { type: string; children?: Node[] };

/**
 * A rehype plugin that marks each blank, so that it is visible and can be jumped to: <span data-blank>, and <span
 * data-blank-rest> for further pieces if emphasis or a mark splits it.
 */
export function markBlanks() {
  return (tree: Node) => {
    const texts: Place[] = [];
    collect(tree, texts, { length: 0 });
    const whole = texts.map(({ before, node }) => before + node.value).join("");
    const pieces = new Map<Text, Node[]>();
    const blanks = blanksIn(whole);
    for (const { node, at } of texts) {
      const end = at + node.value.length;
      const here = blanks.filter(({ from, to }) => from < end && to > at);
      if (here.length > 0) pieces.set(node, cut(node.value, at, here));
    }
    if (pieces.size > 0) replace(tree, pieces);
  };
}

/** A text node: the separator before it, and its offset in all texts together. */
type Place = { node: Text; before: string; at: number };

// The text in these elements continues the line.
const inline = new Set(["a", "code", "del", "em", "mark", "span", "strong"]);

function collect(node: Node, into: Place[], read: { length: number }, divided = { now: false }): void {
  if (!("children" in node)) return;
  for (const child of node.children ?? []) {
    if (isText(child)) {
      const before = divided.now ? "\n" : "";
      divided.now = false;
      into.push({ node: child, before, at: read.length + before.length });
      read.length += before.length + child.value.length;
      continue;
    }
    const block = !("tagName" in child && inline.has(child.tagName));
    if (block) divided.now = true;
    collect(child, into, read, divided);
    if (block) divided.now = true;
  }
}

function cut(value: string, offset: number, blanks: { from: number; to: number }[]): Node[] {
  const parts: Node[] = [];
  let at = 0;
  for (const blank of blanks) {
    const from = Math.max(0, blank.from - offset);
    const to = Math.min(value.length, blank.to - offset);
    if (from > at) parts.push({ type: "text", value: value.slice(at, from) });
    parts.push({
      type: "element",
      tagName: "span",
      properties: blank.from >= offset ? { dataBlank: "" } : { dataBlankRest: "" },
      children: [{ type: "text", value: value.slice(from, to) }],
    });
    at = to;
  }
  if (at < value.length) parts.push({ type: "text", value: value.slice(at) });
  return parts;
}

function replace(node: Node, pieces: Map<Text, Node[]>): void {
  if (!("children" in node) || node.children === undefined) return;
  node.children = node.children.flatMap((child): Node[] => {
    if (isText(child)) return pieces.get(child) ?? [child];
    replace(child, pieces);
    return [child];
  });
}

const isText = (node: Node): node is Text => node.type === "text";
