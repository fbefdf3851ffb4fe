import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeUrl } from "./urls";

/**
 * A text in Markdown as HTML for a mail or a word processor: it loads nothing, and leads only to the web or a mailbox.
 */
export function htmlOf(text: string): string {
  const page = document.createElement("div");
  const root = createRoot(page);
  flushSync(() => {
    root.render(
      <ReactMarkdown remarkPlugins={[remarkGfm, keepDefinitions]} urlTransform={safeUrl} components={components}>
        {text}
      </ReactMarkdown>,
    );
  });
  const html = page.innerHTML;
  root.unmount();
  return html;
}

// Mail programs take no style sheet: a table shows its lines only where it says so itself.
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

/** "[Place]: Mumbai" is a blank that was filled, not the address of a link that is nowhere: it stays as words. */
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
