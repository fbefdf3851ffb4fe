import { FileDown, History, Pencil, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { useQuery } from "@tanstack/react-query";
import { commentsOptions, sentenceOf, type Draft } from "@/lib/api";
import { Comments } from "@/parts/comments";
import { firmHere } from "@/lib/place";
import { Section } from "@/lib/ui/section";
import { ago, moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Spinner } from "@/lib/ui/spinner";
import { composing } from "@/lib/ui/keys";
import { useWorks } from "@/lib/works";
import { Export, unapproved, type Undecided } from "./Export";
import { Part } from "./Part";
import { Review } from "./Review";
import { useRounds } from "./rounds";
import { openOf, partsOf } from "./text";
import { useDraftActs } from "./useDraftActs";
import { Versions } from "./Versions";

type DraftViewProps = {
  draft: Draft;
  /** The facts of the notice that it is about, if any. */
  facts?: unknown;
  /** The heading level of its title. */
  level?: 1 | 2;
  /** For a reply: the undecided paragraphs of the notice, with links to them. */
  undecided?: Undecided[];
  /** For a reply: the last day to reply, as an ISO date; null if unknown, or if the reply was filed. */
  replyBy?: string | null;
  onDecide?: (key: string) => void;
};

const none: Undecided[] = [];

/** A draft: read with its open points, edited part by part, restored from versions, and exported. */
export function DraftView({
  draft,
  facts,
  level = 2,
  undecided = none,
  replyBy = null,
  onDecide = () => undefined,
}: DraftViewProps) {
  const { t } = useTranslation("draft");
  const area = useRef<HTMLDivElement>(null);
  const blanks = useRounds(area, "[data-blank]");
  const doubts = useRounds(area, '[data-tone="bad"]');
  const [shown, show] = useState<"versions" | "export" | null>(null);
  const parts = partsOf(draft);
  const open = openOf(draft);
  const counts = useCounts(draft.id);
  return (
    <article aria-label={draft.title} className={cn("on-paper min-w-0", unapproved(draft) && "unapproved")}>
      {/* A letter has a title of its own, which is the one for paper. */}
      <div className={cn(parts.some(({ text }) => /^# /m.test(text)) && "print:hidden")}>
        <Title draft={draft} level={level} />
      </div>
      <p className="text-sm text-ink-soft print:hidden">
        {t("version", { version: draft.version })},{" "}
        <time dateTime={draft.updated_at} title={moment(draft.updated_at)}>
          {t("saved", { ago: ago(draft.updated_at) })}
        </time>
      </p>
      <Review draft={draft} />
      <div className="sticky top-0 z-10 -mx-2 mt-2 flex flex-wrap items-center gap-x-1 gap-y-1 border-b border-rule bg-paper px-2 py-1.5 print:hidden">
        {open.blanks > 0 ? (
          <Button look="quiet" size="small" className="-ml-3 text-due" onClick={blanks.next}>
            <TriangleAlert aria-hidden />
            {t("blanks", { count: open.blanks })}
            <span className="text-ink-soft">{blanks.at === null ? t("next") : t("nextAt", blanks.at)}</span>
          </Button>
        ) : (
          <span className="py-2 pr-2 text-sm text-ink-soft">{t("noBlanks")}</span>
        )}
        {open.unverified > 0 && (
          <Button look="quiet" size="small" className="text-due" onClick={doubts.next}>
            {t("unverified", { count: open.unverified })}
            <span className="text-ink-soft">{doubts.at === null ? t("next") : t("nextAt", doubts.at)}</span>
          </Button>
        )}
        <p role="status" className="sr-only">
          {blanks.at !== null && t("nextAt", blanks.at)}
        </p>
        <span className="ml-auto flex">
          <Button
            look="quiet"
            size="small"
            onClick={() => {
              show("versions");
            }}
          >
            <History aria-hidden />
            {t("versions.title")}
          </Button>
          <Button
            look="quiet"
            size="small"
            onClick={() => {
              show("export");
            }}
          >
            <FileDown aria-hidden />
            {t("export.open")}
          </Button>
        </span>
      </div>
      <div ref={area} className="pt-3" data-draft={draft.id}>
        {parts.map((part, index) => (
          <Part
            key={part.id}
            draft={draft.id}
            part={part}
            comments={counts.get(part.id) ?? 0}
            locked={draft.locked}
            name={part.title !== "" ? part.title : parts.length === 1 ? draft.title : t("part", { number: index + 1 })}
            level={level === 1 ? 2 : 3}
            alone={parts.length === 1}
          />
        ))}
      </div>
      {firmHere !== null && (
        <Section title={t("comments.title")} className="mt-10 print:hidden">
          <Comments kind="draft" about={draft.id} label={t("comments.ofDraft")} />
        </Section>
      )}
      <Versions
        draft={draft}
        open={shown === "versions"}
        onClose={() => {
          show(null);
        }}
      />
      <Export
        draft={draft}
        facts={facts}
        undecided={undecided}
        replyBy={replyBy}
        onDecide={onDecide}
        open={shown === "export"}
        onClose={() => {
          show(null);
        }}
      />
    </article>
  );
}

/** Returns the number of comments on each part of a draft, in a firm. */
function useCounts(draft: string): Map<string, number> {
  const { data } = useQuery({ ...commentsOptions({ draft }), enabled: firmHere !== null });
  const counts = new Map<string, number>();
  for (const { part } of data?.comments ?? []) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

function Title({ draft, level }: { draft: Draft; level: 1 | 2 }) {
  const { t } = useTranslation("draft");
  const { rename } = useDraftActs(draft.id);
  const works = useWorks();
  const [typed, setTyped] = useState<string | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const Heading = level === 1 ? "h1" : "h2";
  const close = () => {
    setTyped(null);
    setTimeout(() => pencil.current?.focus());
  };
  const save = () => {
    const title = (typed ?? "").trim();
    if (title === "" || title === draft.title) {
      close();
      return;
    }
    rename.mutate(title, {
      onSuccess: close,
      onError: (error) => {
        toast.error(sentenceOf(error, t("saveFailed")));
      },
    });
  };
  if (typed !== null) {
    return (
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <input
          value={typed}
          maxLength={200}
          aria-label={t("title")}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
          autoFocus
          className="min-h-10 min-w-0 flex-1 basis-64 rounded-lg border border-rule-strong bg-sheet px-3 font-serif text-lg"
          onChange={(event) => {
            setTyped(event.target.value);
          }}
          onKeyDown={(event) => {
            if (composing(event) && event.key === "Enter") event.preventDefault(); // it would submit the form
            if (event.key !== "Escape" || composing(event)) return;
            event.preventDefault();
            close();
          }}
        />
        <Button type="submit" size="small" disabled={rename.isPending}>
          {rename.isPending && <Spinner className="size-4" />}
          {t("save")}
        </Button>
        <Button look="quiet" size="small" onClick={close}>
          {t("cancel")}
        </Button>
      </form>
    );
  }
  return (
    <div className="flex items-start gap-1">
      <Heading className="font-serif text-xl leading-7 font-semibold text-balance">{draft.title}</Heading>
      {works && !draft.locked && (
        <Button
          ref={pencil}
          look="quiet"
          size="icon-small"
          className="-my-1"
          title={t("rename")}
          aria-label={t("rename")}
          onClick={() => {
            setTyped(draft.title);
          }}
        >
          <Pencil aria-hidden />
        </Button>
      )}
    </div>
  );
}
