import { Extension, type Editor, type JSONContent } from "@tiptap/core";
import { TableKit } from "@tiptap/extension-table";
import { Markdown, MarkdownManager } from "@tiptap/markdown";
import type { Node, Schema } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import StarterKit from "@tiptap/starter-kit";
import { blanksIn } from "@/parts/conversation";

/** Shows the blanks of a draft while it is edited. */
const Blanks = Extension.create({
  name: "blanks",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations: ({ doc }) => {
          const found: Decoration[] = [];
          doc.descendants((node, at) => {
            if (!node.isTextblock) return;
            // A node in the text, such as a break, counts as one letter, as it does in positions.
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

/** What the editor knows: what Markdown can say, and nothing that loads anything or leads anywhere at a click. */
export const extensions = [
  StarterKit.configure({ underline: false, link: { openOnClick: false, autolink: false, linkOnPaste: false } }),
  TableKit.configure({ table: { resizable: false } }),
  Markdown,
  Blanks,
];

const manager = new MarkdownManager({ extensions });
// HTML is the text that it is, as where the draft is read: nothing parses it, and none of it is lost.
manager.instance.use({ tokenizer: { html: () => undefined, tag: () => undefined } });

/**
 * A text in Markdown as the editor takes it, and the way back. A paragraph, list or table that nobody touched is given
 * back to the letter, since the editor would write the same otherwise: only what was changed is written anew.
 */
export class Script {
  readonly content: JSONContent;
  private readonly sources: (string | null)[] = [];
  private readonly original = new Map<Node, string>();
  private whole: Node[] = [];
  /** Each editor has its own, and blocks of two are never equal. */
  private schema: Schema | null = null;

  constructor(private readonly text: string) {
    const blocks: JSONContent[] = [];
    for (const token of manager.instance.lexer(text)) {
      if (token.type === "space") continue;
      const source = token.raw.replace(/\s+$/u, "");
      let parsed = manager.parse(source).content ?? [];
      // Such as where a link by reference leads, which would not be seen.
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
   * Remembers which part of the text each block came from: to be called before anything else with what was made of the
   * content, and again by an editor that took the place of another, as one does that was slow to be shown.
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

  /** What the editor holds, as Markdown. */
  read({ state: { doc } }: Pick<Editor, "state">): string {
    const blocks = written(doc);
    if (blocks.length === this.whole.length && blocks.every((block, index) => this.whole[index]?.eq(block)))
      return this.text;
    return blocks.map((block) => this.source(block)).join("\n\n");
  }

  private source(block: Node): string {
    const source = this.original.get(block);
    if (source !== undefined) return source;
    for (const [node, text] of this.original) if (node.eq(block)) return text; // undone
    return plainBlanks(manager.serialize({ type: "doc", content: [block.toJSON() as JSONContent] }).trim(), block);
  }
}

/** The blocks of a document that hold anything. */
function written(doc: Node): Node[] {
  const blocks: Node[] = [];
  doc.forEach((block) => {
    if (block.type.name !== "paragraph" || block.content.size > 0) blocks.push(block);
  });
  return blocks;
}

/** Markdown as the editor writes it, with what it gets wrong set right. */
function plainBlanks(markdown: string, block: Node): string {
  // Brackets that are no link need no escape, and blanks are looked for as they are.
  const text = markdown.replace(/\\\[((?:…|\.{3}|To be confirmed|Not yet answered)[^\]\n]*?)\\\]/g, "[$1]");
  // A line that begins as a list, a heading or a quotation does is one, unless its mark is escaped.
  if (block.type.name !== "paragraph") return text;
  return text.replace(/^([-+>]|#{1,6})(?=\s|$)/gm, "\\$1").replace(/^(\d{1,9})([.)])(?=\s|$)/gm, "$1\\$2");
}
