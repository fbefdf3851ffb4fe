import { Extension, type Editor, type JSONContent } from "@tiptap/core";
import { TableKit } from "@tiptap/extension-table";
import { Markdown, MarkdownManager } from "@tiptap/markdown";
import type { Node, Schema } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import StarterKit from "@tiptap/starter-kit";
import { blanksIn } from "@/parts/conversation";

/** Highlights the blanks of a draft while it is edited. */
const Blanks = Extension.create({
  name: "blanks",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations: ({ doc }) => {
          const found: Decoration[] = [];
          doc.descendants((node, at) => {
            if (!node.isTextblock) return;
            // A node in the text, such as a line break, counts as one letter, as in positions.
            const text = node.textBetween(0, node.content.size, undefined, "\n");
            for (const { from, to } of blanksIn(text))
              found.push(Decoration.inline(at + 1 + from, at + 1 + to, { "data-blank": "" }));
          });
          return DecorationSet.create(doc, found);
        },
      },
    }),
  ],
});

/** The editor's extensions: what Markdown can express, and nothing that loads anything or opens links on click. */
export const extensions = [
  StarterKit.configure({ underline: false, link: { openOnClick: false, autolink: false, linkOnPaste: false } }),
  TableKit.configure({ table: { resizable: false } }),
  Markdown,
  Blanks,
];

const manager = new MarkdownManager({ extensions });
// HTML is kept as text, as where the draft is read: it is neither parsed nor lost.
manager.instance.use({ tokenizer: { html: () => undefined, tag: () => undefined } });

/**
 * Converts Markdown for the editor and back. A paragraph, list or table that nobody changed is returned exactly as it
 * was, since the editor would write it differently.
 */
export class Script {
  readonly content: JSONContent;
  private readonly sources: (string | null)[] = [];
  private readonly original = new Map<Node, string>();
  private whole: Node[] = [];
  /** Each editor has its own schema, and blocks of different schemas are never equal. */
  private schema: Schema | null = null;

  constructor(private readonly text: string) {
    const blocks: JSONContent[] = [];
    for (const token of manager.instance.lexer(text)) {
      if (token.type === "space") continue;
      const source = token.raw.replace(/\s+$/u, "");
      let parsed = manager.parse(source).content ?? [];
      // A text without visible content, such as a link definition, is edited as plain text.
      if (parsed.every(({ type, content = [] }) => type === "paragraph" && content.length === 0))
        parsed = [{ type: "paragraph", content: [{ type: "text", text: source }] }];
      for (const block of parsed) {
        blocks.push(block);
        this.sources.push(parsed.length === 1 ? source : null);
      }
    }
    this.content = { type: "doc", content: blocks.length > 0 ? blocks : [{ type: "paragraph" }] };
  }

  /**
   * Remembers from which part of the text each block was made. It must be called first with the editor's initial
   * document, and again for an editor that replaces another one.
   */
  opened(doc: Node): void {
    if (this.schema === doc.type.schema) return;
    this.schema = doc.type.schema;
    this.original.clear();
    this.sources.forEach((source, index) => {
      const block = doc.maybeChild(index);
      if (block === null || source === null) return;
      this.original.set(block, source);
    });
    this.whole = written(doc);
  }

  /** Returns the editor's content as Markdown. */
  read({ state: { doc } }: Pick<Editor, "state">): string {
    const blocks = written(doc);
    if (blocks.length === this.whole.length && blocks.every((block, index) => this.whole[index]?.eq(block)))
      return this.text;
    return blocks.map((block) => this.source(block)).join("\n\n");
  }

  private source(block: Node): string {
    const source = this.original.get(block);
    if (source !== undefined) return source;
    for (const [node, text] of this.original) if (node.eq(block)) return text; // a change was undone
    return plainBlanks(manager.serialize({ type: "doc", content: [block.toJSON() as JSONContent] }).trim(), block);
  }
}

/** Returns the blocks of a document that are not empty. */
function written(doc: Node): Node[] {
  const blocks: Node[] = [];
  doc.forEach((block) => {
    if (block.type.name !== "paragraph" || block.content.size > 0) blocks.push(block);
  });
  return blocks;
}

/** Corrects the Markdown that the editor writes. */
function plainBlanks(markdown: string, block: Node): string {
  // Brackets without a link need no escape, and blanks are recognised without it.
  const text = markdown.replace(/\\\[((?:…|\.{3}|To be confirmed|Not yet answered)[^\]\n]*?)\\\]/g, "[$1]");
  // A line that begins like a list, heading or quotation would become one unless its mark is escaped.
  if (block.type.name !== "paragraph") return text;
  return text.replace(/^([-+>]|#{1,6})(?=\s|$)/gm, "\\$1").replace(/^(\d{1,9})([.)])(?=\s|$)/gm, "$1\\$2");
}
