import { MessageSquarePlus, Pencil } from "lucide-react";
import { lazy, memo, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { ApiError, sentenceOf, type DraftPart } from "@/lib/api";
import { Comments } from "@/parts/comments";
import { AnswerText, Checked, placed, toneOf } from "@/parts/conversation";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { cn } from "@/lib/ui/cn";
import { firmHere } from "@/lib/place";
import { useWorks } from "@/lib/works";
import { Conflict } from "./Conflict";
import { isKept, useKept } from "./kept";
import { useDraftActs } from "./useDraftActs";

const PartEditor = lazy(() => import("./PartEditor"));

type PartProps = {
  /** The draft's id. */
  draft: string;
  part: DraftPart;
  /** The number of comments on it. */
  comments: number;
  /** True if it is in review, so that it can only be read. */
  locked: boolean;
  /** The name of the part if it has no heading. */
  name: string;
  level: 2 | 3;
  /** True if it is the only part, so that it needs no name. */
  alone: boolean;
};

/** A part of a draft, for reading with its checks, or for editing. Memoised, since a draft may have a hundred parts. */
export const Part = memo(function Part({ draft, part, comments, locked, name, level, alone }: PartProps) {
  const { t } = useTranslation("draft");
  const works = useWorks();
  const [kept, keep] = useKept(draft, part.id);
  const [editing, setEditing] = useState(kept !== null);
  const [commenting, setCommenting] = useState(false);
  const [quote, setQuote] = useState(() => shortened(plainWords(part.text)));
  const section = useRef<HTMLElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const left = useRef(false);
  useEffect(() => {
    if (editing || !left.current) return;
    left.current = false;
    pencil.current?.focus({ preventScroll: true });
  }, [editing]);
  const Heading = level === 2 ? "h2" : "h3";
  const comment = () => {
    // A comment is about the words selected in the part, or else about the beginning of the part.
    const selected = window.getSelection();
    const inside = selected?.anchorNode != null && section.current?.contains(selected.anchorNode) === true;
    const words = inside ? selected.toString().trim() : "";
    setQuote(shortened(words === "" ? plainWords(part.text) : words));
    setCommenting(true);
  };
  const close = () => {
    left.current = true;
    setEditing(false);
  };
  return (
    <section
      ref={section}
      data-part={part.id}
      aria-label={name}
      className={cn(
        "group/part relative",
        part.title !== "" && "mt-8 border-t border-rule pt-5 print:mt-5 print:border-0 print:pt-0",
      )}
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-3">
        {part.title !== "" && (
          <Heading className="min-w-0 font-serif text-lg leading-6 font-semibold">{part.title}</Heading>
        )}
        <span className="ml-auto flex items-center gap-x-1 text-sm text-ink-soft print:hidden">
          {t(`by.${part.by}`)}
          {firmHere !== null && works && (
            <Button
              look="quiet"
              size="icon-small"
              title={t("comments.add")}
              aria-label={t("comments.of", { name })}
              // Before the click, which would clear the selection.
              onPointerDown={(event) => {
                event.preventDefault();
              }}
              onClick={comment}
            >
              <MessageSquarePlus aria-hidden />
            </Button>
          )}
          {!editing && works && !locked && (
            <Button
              ref={pencil}
              look="quiet"
              size="icon-small"
              title={t("edit")}
              aria-label={alone ? t("edit") : t("editOf", { name })}
              onClick={() => {
                setEditing(true);
              }}
            >
              <Pencil aria-hidden />
            </Button>
          )}
        </span>
      </div>
      {editing ? (
        <Editing
          draft={draft}
          part={part}
          name={name}
          kept={kept}
          keep={keep}
          onClose={close}
          onReopen={() => {
            setEditing(true);
          }}
        />
      ) : (
        <Reading part={part} />
      )}
      {comments > 0 || commenting ? (
        <div className="font-sans print:hidden">
          <Comments kind="draft" about={draft} part={{ id: part.id, quote }} label={t("comments.of", { name })} />
        </div>
      ) : null}
    </section>
  );
});

/** Cuts a quotation that is too long to show above a comment, at a space if possible. */
function shortened(words: string): string {
  if (words.length <= 160) return words;
  const cut = words.slice(0, 160);
  const space = cut.lastIndexOf(" ");
  return `${space > 80 ? cut.slice(0, space) : cut}…`;
}

/** Returns Markdown as plain text. */
const plainWords = (markdown: string) =>
  markdown
    .replace(/[*_#>|`\\]+|-{3,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();

function Reading({ part }: { part: DraftPart }) {
  const { t } = useTranslation("draft");
  const checks = part.checks ?? [];
  const marks = useMemo(() => placed(part.checks ?? []), [part.checks]);
  if (part.text.trim() === "") return <p className="text-ink-soft">{t("empty")}</p>;
  return (
    <>
      <AnswerText text={part.text} marks={marks} id={part.id} blanks />
      {checks.some((check) => toneOf(check) === "bad") && (
        <div className="print:hidden">
          <Checked id={part.id} checks={checks} shown={marks} />
        </div>
      )}
    </>
  );
}

type EditingProps = {
  draft: string;
  part: DraftPart;
  name: string;
  kept: ReturnType<typeof useKept>[0];
  keep: ReturnType<typeof useKept>[1];
  onClose: () => void;
  onReopen: () => void;
};

function Editing({ draft, part, name, kept, keep, onClose, onReopen }: EditingProps) {
  const { t } = useTranslation("draft");
  const { write, look } = useDraftActs(draft);
  // The text from which the person started; it changes only when they have seen the new text.
  const [from, setFrom] = useState({ text: part.text, revision: kept?.revision ?? part.revision });
  const [opened, setOpened] = useState(kept?.text ?? part.text);
  const [asked] = useState(kept === null); // text restored after a reload does not take the focus
  const [theirs, setTheirs] = useState<DraftPart | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useRef<HTMLButtonElement>(null);
  useWarning(draft, part.id, kept !== null, name);

  const send = async (revision: number) => {
    if (write.isPending) return;
    if (kept === null) {
      onClose();
      return;
    }
    const { text } = kept;
    setProblem(null);
    try {
      await write.mutateAsync({ part: part.id, text, revision });
      keep(null);
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error, t("saveFailed")));
      if (!(error instanceof ApiError && error.code === "draft_changed")) return;
      try {
        const now = await look();
        const changed = now.parts?.find(({ id }) => id === part.id);
        if (changed !== undefined) setTheirs(changed);
      } catch {
        // The sentence above says that the text was changed; saving again checks again.
      }
    }
  };
  /** Drops the typed text; for a while it can be restored. */
  const drop = (words: "dropped" | "tookTheirs") => {
    const gone = kept;
    keep(null);
    onClose();
    if (gone === null) return;
    toast(t(words), {
      duration: 30_000,
      action: {
        label: t("undo"),
        onClick: () => {
          keep(gone);
          onReopen();
        },
      },
    });
  };

  if (theirs !== null && kept !== null) {
    return (
      <Conflict
        mine={kept.text}
        theirs={theirs.text}
        markdown
        saving={write.isPending}
        onMine={() => {
          void send(theirs.revision);
        }}
        onTheirs={() => {
          drop("tookTheirs");
        }}
        onBack={() => {
          setFrom({ text: theirs.text, revision: theirs.revision });
          keep({ text: kept.text, revision: theirs.revision });
          setOpened(kept.text);
          setTheirs(null);
          setProblem(null);
        }}
      />
    );
  }
  return (
    <div className="mt-1">
      <div className="overflow-clip rounded-lg border border-rule-strong bg-sheet focus-within:border-accent">
        <Suspense
          fallback={
            <div className="space-y-3 p-4">
              <Skeleton />
              <Skeleton className="w-4/5" />
            </div>
          }
        >
          <PartEditor
            text={opened}
            label={name}
            focused={asked}
            onChange={(text) => {
              keep(text === from.text ? null : { text, revision: from.revision });
            }}
            onSave={() => {
              void send(from.revision);
            }}
            onEscape={() => {
              save.current?.focus();
            }}
          />
        </Suspense>
      </div>
      {problem !== null && (
        <p role="alert" className="mt-2 text-[0.9375rem] text-overdue">
          {problem}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button
          ref={save}
          size="small"
          title={t("saveKeys")}
          disabled={write.isPending}
          onClick={() => {
            void send(from.revision);
          }}
        >
          {write.isPending && <Spinner className="size-4" />}
          {t("save")}
        </Button>
        <Button
          look="quiet"
          size="small"
          disabled={write.isPending}
          onClick={() => {
            drop("dropped");
          }}
        >
          {t("cancel")}
        </Button>
        <p role="status" className="text-sm text-ink-soft">
          {kept !== null && t("unsaved")}
        </p>
      </div>
    </div>
  );
}

/** Warns before leaving with unsaved text, which is also kept in this tab. */
function useWarning(draft: string, part: string, unsaved: boolean, name: string) {
  const { t } = useTranslation("draft");
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("beforeunload", warn);
    };
  }, [unsaved]);
  const words = useRef("");
  useEffect(() => {
    words.current = t("left", { name });
  });
  useEffect(
    () => () => {
      if (isKept(draft, part)) toast.warning(words.current, { duration: 12_000 });
    },
    [draft, part],
  );
}
