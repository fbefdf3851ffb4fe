import { Editor } from "@tiptap/core";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { extensions, Script } from "./editing";

/** An editor of the text, for this test. */
function edit(script: Script) {
  const editor = new Editor({ extensions, content: script.content });
  onTestFinished(() => {
    editor.destroy();
  });
  return editor;
}

function open(text: string) {
  const script = new Script(text);
  const editor = edit(script);
  script.opened(editor.state.doc);
  return { editor, read: () => script.read(editor) };
}

const table = "| Particulars | Details |\n| --- | --- |\n| GSTIN | [… GSTIN] |\n| Amount | ₹9,68,058 |";
const odd = [
  "# REPLY TO SHOW CAUSE NOTICE",
  "Escaped \\* star, \\_under\\_, \\[brackets\\], &lt;b&gt; and snake_case",
  table,
  "1. one\n   1. nested\n   2. more\n2. two\n\n   of two paragraphs",
  "* star\n* list",
  "> “The quoted words, […] of **the\n> notice**.”\n>\n> - a list in it",
  "line one  \nline two",
  "```\ncode\n```",
  "<!-- a remark -->",
  "<div>words in HTML</div>",
  "- [ ] to do",
  "[To be confirmed: that the State has adopted it]",
  "न्यायालय **धारा** 73",
  "\\- no list",
  "***",
  "7. seven\n8. eight",
].join("\n\n");

describe("a text that is opened and saved", () => {
  test.each([
    ["every kind of block", odd],
    ["more empty lines than needed", "one\n\n\n\n\ntwo\n\n"],
    ["nothing", ""],
    ["only a blank", "[…]"],
    ["a carriage return in each line", "one\r\n\r\ntwo"],
    ["a link by reference", "See [it][1].\n\n[1]: https://example.in/a_b"],
  ])("is the same to the letter: %s", (_, text) => {
    expect(open(text).read()).toBe(text);
  });

  it("is the same when another editor took the place of the first", () => {
    const script = new Script(odd);
    for (let i = 0; i < 2; i++) {
      const { state } = edit(script);
      script.opened(state.doc);
      expect(script.read({ state })).toBe(odd);
    }
  });

  it("is the same after something was typed and undone", () => {
    const { editor, read } = open(odd);
    editor
      .chain()
      .insertContentAt(editor.state.doc.content.size - 1, " more")
      .run();
    expect(read()).not.toBe(odd);
    editor.commands.undo();
    expect(read()).toBe(odd);
  });
});

describe("a text that is changed", () => {
  it("keeps to the letter what was not touched", () => {
    const { editor, read } = open(odd);
    editor.commands.insertContentAt(1, "DRAFT ");
    expect(read()).toBe(odd.replace("# REPLY", "# DRAFT REPLY"));
  });

  it("keeps blanks as they are in what was touched", () => {
    const { editor, read } = open("The Noticee, […], of [… its place], [To be confirmed: the day].");
    editor.commands.insertContentAt(1, "Yes. ");
    expect(read()).toBe("Yes. The Noticee, […], of [… its place], [To be confirmed: the day].");
  });

  it("keeps HTML as the text that it is", () => {
    const html = 'The <b>tax</b> <img src="https://evil.example" onerror="run()"> and <!-- a remark --> under R&D.';
    const { editor, read } = open(html);
    expect(editor.getText()).toBe(html);
    editor.commands.insertContentAt(1, "Yes. ");
    expect(open(read()).editor.getText()).toBe(`Yes. ${html}`);
  });

  it("keeps every cell of a table", () => {
    const { editor, read } = open(table);
    const at: number[] = [];
    editor.state.doc.descendants((node, position) => {
      if (node.isText && node.text === "₹9,68,058") at.push(position + node.nodeSize);
    });
    editor.commands.insertContentAt(at[0] ?? 0, " in all");
    expect(read().replace(/ +/g, " ").replace(/-+/g, "---")).toBe(
      "| Particulars | Details |\n| --- | --- |\n| GSTIN | [… GSTIN] |\n| Amount | ₹9,68,058 in all |",
    );
  });

  it("makes no list or heading of what looks like one", () => {
    const { editor, read } = open("a");
    editor.commands.setContent({
      type: "doc",
      content: ["- one", "1. two", "# three", "> four", "A.1 five", "-1"].map((text) => ({
        type: "paragraph",
        content: [{ type: "text", text }],
      })),
    });
    const text = read();
    expect(text).toContain("A.1 five\n\n-1");
    const again = open(text);
    expect(again.editor.state.doc.content.content.map(({ type }) => type.name)).toEqual(
      Array.from({ length: 6 }, () => "paragraph"),
    );
    expect(again.editor.getText({ blockSeparator: "\n" })).toBe("- one\n1. two\n# three\n> four\nA.1 five\n-1");
  });
});
