// A place for what nobody supplied, "[…]" or "[… what]", or what is to be confirmed before it is sent.
const blank = /\[(?:…|\.{3}|To be confirmed)[^\]\n]*\]/g;

/** Where the blanks of a text are, by offsets. */
export function blanksIn(text: string): { from: number; to: number }[] {
  return [...text.matchAll(blank)].map(({ index, 0: words }) => ({ from: index, to: index + words.length }));
}

// What of the tree that Markdown becomes is needed here.
type Text = { type: "text"; value: string };
type Element = { type: "element"; tagName: string; properties: Record<string, unknown>; children: Node[] };
type Node = Text | Element | { type: string; children?: Node[] };

/** A rehype plugin that puts <span data-blank> around each blank, so that it is seen and can be gone to. */
export function markBlanks() {
  return (tree: Node) => {
    walk(tree);
  };
}

function walk(node: Node): void {
  if (!("children" in node) || node.children === undefined) return;
  node.children = node.children.flatMap((child): Node[] => {
    if (!isText(child)) {
      walk(child);
      return [child];
    }
    const parts: Node[] = [];
    let at = 0;
    for (const { from, to } of blanksIn(child.value)) {
      if (from > at) parts.push({ type: "text", value: child.value.slice(at, from) });
      parts.push({ type: "element", tagName: "span", properties: { dataBlank: "" }, children: [{ type: "text", value: child.value.slice(from, to) }] });
      at = to;
    }
    if (at < child.value.length) parts.push({ type: "text", value: child.value.slice(at) });
    return parts;
  });
}

const isText = (node: Node): node is Text => node.type === "text";
