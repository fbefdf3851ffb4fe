import { EditorContent, useEditor, useEditorState, type Editor } from "@tiptap/react";
import {
  Bold,
  Heading2,
  Heading3,
  Italic,
  List,
  ListOrdered,
  Quote,
  Redo2,
  Table,
  Undo2,
  type LucideIcon,
} from "lucide-react";
import { Toolbar } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/ui/cn";
import { composing } from "@/lib/ui/keys";
import { extensions, Script } from "./editing";

type PartEditorProps = {
  /** Markdown; later changes of it are ignored. */
  text: string;
  label: string;
  /** True if the person has just opened it. */
  focused: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
  /** The person wants to leave it with the keyboard. */
  onEscape: () => void;
};

/** Edits Markdown with its formatting shown. */
export default function PartEditor({ text, label, focused, onChange, onSave, onEscape }: PartEditorProps) {
  const [script] = useState(() => new Script(text));
  const editor = useEditor({
    extensions,
    content: script.content,
    injectCSS: false, // styles.css has the styles: the content security policy forbids injected ones
    autofocus: focused && "start",
    editorProps: {
      attributes: { class: "prose draft-editor", role: "textbox", "aria-multiline": "true", "aria-label": label },
    },
    onCreate: ({ editor: made }) => {
      script.opened(made.state.doc);
    },
    onUpdate: ({ editor: changed, transaction }) => {
      // it may get the focus and an empty last line before this is called
      script.opened(transaction.before);
      onChange(script.read(changed));
    },
  });
  return (
    // Keys that work anywhere in the editor.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
          event.preventDefault();
          onSave();
        } else if (event.key === "Escape" && !composing(event)) {
          event.preventDefault();
          onEscape();
        }
      }}
    >
      <Tools editor={editor} />
      <EditorContent editor={editor} />
    </div>
  );
}

const marks: {
  name: "bold" | "italic" | "heading" | "subheading" | "bullets" | "numbers" | "quote";
  Icon: LucideIcon;
  run: (editor: Editor) => void;
  on: (editor: Editor) => boolean;
}[] = [
  {
    name: "bold",
    Icon: Bold,
    run: (editor) => editor.chain().focus().toggleBold().run(),
    on: (editor) => editor.isActive("bold"),
  },
  {
    name: "italic",
    Icon: Italic,
    run: (editor) => editor.chain().focus().toggleItalic().run(),
    on: (editor) => editor.isActive("italic"),
  },
  {
    name: "heading",
    Icon: Heading2,
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
    on: (editor) => editor.isActive("heading", { level: 2 }),
  },
  {
    name: "subheading",
    Icon: Heading3,
    run: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
    on: (editor) => editor.isActive("heading", { level: 3 }),
  },
  {
    name: "bullets",
    Icon: List,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    on: (editor) => editor.isActive("bulletList"),
  },
  {
    name: "numbers",
    Icon: ListOrdered,
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    on: (editor) => editor.isActive("orderedList"),
  },
  {
    name: "quote",
    Icon: Quote,
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
    on: (editor) => editor.isActive("blockquote"),
  },
];

const inTable: {
  name: "rowBelow" | "rowGone" | "columnAfter" | "columnGone" | "tableGone";
  run: (editor: Editor) => void;
}[] = [
  { name: "rowBelow", run: (editor) => editor.chain().focus().addRowAfter().run() },
  { name: "rowGone", run: (editor) => editor.chain().focus().deleteRow().run() },
  { name: "columnAfter", run: (editor) => editor.chain().focus().addColumnAfter().run() },
  { name: "columnGone", run: (editor) => editor.chain().focus().deleteColumn().run() },
  { name: "tableGone", run: (editor) => editor.chain().focus().deleteTable().run() },
];

function Tools({ editor }: { editor: Editor }) {
  const { t } = useTranslation("draft");
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      on: marks.map(({ on }) => on(now)),
      table: now.isActive("table"),
      undo: now.can().undo(),
      redo: now.can().redo(),
    }),
  });
  return (
    <Toolbar.Root
      aria-label={t("tools.label")}
      className="flex flex-wrap items-center gap-0.5 border-b border-rule bg-margin px-1.5 py-1"
    >
      {marks.map(({ name, Icon, run }, index) => (
        <Tool
          key={name}
          name={t(`tools.${name}`)}
          pressed={state.on[index] ?? false}
          onClick={() => {
            run(editor);
          }}
        >
          <Icon aria-hidden />
        </Tool>
      ))}
      {!state.table && (
        <Tool
          name={t("tools.table")}
          onClick={() => {
            editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run();
          }}
        >
          <Table aria-hidden />
        </Tool>
      )}
      <Toolbar.Separator className="mx-1 h-5 w-px bg-rule" />
      <Tool
        name={t("tools.undo")}
        disabled={!state.undo}
        onClick={() => {
          editor.chain().focus().undo().run();
        }}
      >
        <Undo2 aria-hidden />
      </Tool>
      <Tool
        name={t("tools.redo")}
        disabled={!state.redo}
        onClick={() => {
          editor.chain().focus().redo().run();
        }}
      >
        <Redo2 aria-hidden />
      </Tool>
      {state.table &&
        inTable.map(({ name, run }) => (
          <Tool
            key={name}
            wide
            onClick={() => {
              run(editor);
            }}
          >
            {t(`tools.${name}`)}
          </Tool>
        ))}
    </Toolbar.Root>
  );
}

type ToolProps = {
  name?: string;
  pressed?: boolean;
  disabled?: boolean;
  wide?: boolean;
  onClick: () => void;
  children: React.ReactNode;
};

function Tool({ name, pressed, disabled = false, wide = false, onClick, children }: ToolProps) {
  return (
    <Toolbar.Button
      aria-label={name}
      title={name}
      aria-pressed={pressed}
      disabled={disabled}
      className={cn(
        "inline-flex h-9 items-center justify-center rounded-lg text-sm text-ink-soft hover:bg-accent-soft hover:text-ink disabled:cursor-not-allowed disabled:opacity-50 disabled:hover:bg-transparent [&_svg]:size-[1.125rem]",
        wide ? "px-2" : "w-9",
        pressed === true && "bg-accent-soft text-accent",
      )}
      onMouseDown={(event) => {
        event.preventDefault(); // keeps the selection
      }}
      onClick={onClick}
    >
      {children}
    </Toolbar.Button>
  );
}
