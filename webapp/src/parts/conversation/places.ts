// The parts of the Markdown syntax tree that are needed here.
type Text = { type: "text"; value: string };
type Element = { type: "element"; tagName: string; properties: Record<string, unknown>; children: Node[] };
type Node = Text | Element | { type: string; children?: Node[] };

// A quotation has several words; a single word in quotation marks is a name.
const quotation = /[“"]([^“”"\n]{12,600})[”"]/;
const pageNumber = /\bpages?\s+(\d{1,4})\b/;
const reference = new RegExp(`${quotation.source}|${pageNumber.source}`, "giu");
// A page number this close after a quotation belongs to it.
const near = /^[\s,;:)\]–—-]*[([]?\s*(?:at|on|see)?\s*pages?\s+(\d{1,4})\b/iu;
const leastWords = 3;
const mostBefore = 200;

/**
 * A rehype plugin that turns quotations and page references into links to the document: <a data-page data-quote>. A
 * page in brackets refers to the words before it, if the document has them.
 */
export function linkPlaces() {
  return (tree: Node) => {
    walk(tree);
  };
}

const closed = new Set(["a", "code", "pre"]);

function walk(node: Node): void {
  if (!("children" in node) || node.children === undefined) return;
  node.children = node.children.flatMap((child): Node[] => {
    if (isText(child)) return divide(child.value);
    if (!("tagName" in child) || !closed.has(child.tagName)) walk(child);
    return [child];
  });
}

const isText = (node: Node): node is Text => node.type === "text";

function divide(value: string): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const match of value.matchAll(reference)) {
    const [words, quote, page] = match;
    const place =
      quote === undefined
        ? { dataPage: page, dataQuote: before(value.slice(at, match.index)), dataLoose: "true" }
        : { dataPage: near.exec(value.slice(match.index + words.length))?.[1], dataQuote: quote };
    if (quote !== undefined && quote.trim().split(/\s+/u).length < leastWords) continue;
    if (match.index > at) nodes.push({ type: "text", value: value.slice(at, match.index) });
    nodes.push({ type: "element", tagName: "a", properties: place, children: [{ type: "text", value: words }] });
    at = match.index + words.length;
  }
  if (at < value.length) nodes.push({ type: "text", value: value.slice(at) });
  return nodes;
}

/** Returns the words to which a page in brackets after them refers. */
function before(text: string): string | undefined {
  const words = /([^;:.]*)[([]\s*$/u.exec(text)?.[1]?.trim();
  return words === undefined || words.length < 4 || words.length > mostBefore ? undefined : words;
}
