import type { TFunction } from "i18next";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { notesBelow } from "./footnotes";
import { isNoted, labelOf, markWords, wordsOf, type Mark } from "./marks";
import { safeUrl } from "./urls";

/**
 * Converts Markdown to HTML for a mail or a word processor: it loads nothing, and links lead only to the web or a
 * mailbox. Marks become footnotes below the text.
 */
export function htmlOf(text: string, notes: Note[] = [], title = ""): string {
  const page = document.createElement("div");
  const root = createRoot(page);
  flushSync(() => {
    root.render(
      <ReactMarkdown
        remarkPlugins={[remarkGfm, keepDefinitions]}
        rehypePlugins={[[markWords, { marks: notes.map(({ mark }) => mark), source: text }]]}
        urlTransform={safeUrl}
        components={{ ...components, mark: marker(notes) }}
      >
        {text}
      </ReactMarkdown>,
    );
  });
  if (notes.length > 0)
    page.append(
      notesBelow(
        notes.map(({ note }) => note),
        title,
      ),
    );
  const html = page.innerHTML;
  root.unmount();
  return html;
}

/** A mark with its note. */
export type Note = { mark: Mark; note: string };

/** Returns the notes to copy with a text, in order. */
export function notesOf(t: TFunction<"conversation">, marks: Mark[]): Note[] {
  return marks
    .filter(isNoted)
    .sort((a, b) => a.end - b.end)
    .map((mark) => ({ mark, note: `${wordsOf(mark)}: ${labelOf(t, mark)}` }));
}

/** Adds the footnote number after marked words. */
function marker(notes: Note[]): NonNullable<Components["mark"]> {
  return function Marker({ node, children }) {
    const { dataMark, dataLast } = node?.properties ?? {};
    const at = notes.findIndex(({ mark }) => mark.index === dataMark);
    return (
      <>
        {children}
        {dataLast === "true" && at >= 0 && <sup>[{at + 1}]</sup>}
      </>
    );
  };
}

// Mail programs use no style sheets, so a table must have its own border styles.
const line = { border: "1px solid #808080", padding: "4px 8px", verticalAlign: "top" } as const;

const components: Components = {
  a: ({ href, children }) => (href === undefined || href === "" ? <>{children}</> : <a href={href}>{children}</a>),
  img: ({ alt }) => <>[{alt}]</>,
  input: ({ checked }) => <>{checked === true ? "☑" : "☐"}</>,
  table: ({ children }) => <table style={{ borderCollapse: "collapse" }}>{children}</table>,
  th: ({ children, style }) => <th style={{ ...line, textAlign: "left", ...style }}>{children}</th>,
  td: ({ children, style }) => <td style={{ ...line, ...style }}>{children}</td>,
};

type Node = { type: string; label?: string; url?: string; title?: string | null; value?: string; children?: Node[] };

/** "[Place]: Mumbai" is a filled blank and not a link definition, so it is kept as text. */
function keepDefinitions() {
  return (tree: Node) => {
    const inside = (parent: Node) => {
      parent.children = parent.children?.map((node) => {
        inside(node);
        if (node.type !== "definition") return node;
        const title = typeof node.title === "string" ? ` "${node.title}"` : "";
        return {
          type: "paragraph",
          children: [{ type: "text", value: `[${node.label ?? ""}]: ${node.url ?? ""}${title}` }],
        };
      });
    };
    inside(tree);
  };
}
