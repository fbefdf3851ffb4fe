import { Suspense, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton, Markdown } from "@/parts/conversation";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";

type ConflictProps = {
  mine: string;
  theirs: string;
  /** True if the texts are Markdown, as in a draft, or plain text. */
  markdown?: boolean;
  saving: boolean;
  onMine: () => void;
  onTheirs: () => void;
  /** Returns to editing; left out if that is not possible. */
  onBack?: () => void;
};

/** Shows two versions of a text side by side, for the person to choose; until then neither is lost. */
export function Conflict({ mine, theirs, markdown = false, saving, onMine, onTheirs, onBack }: ConflictProps) {
  const { t } = useTranslation("draft");
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <div className="@container mt-1 rounded-lg border border-due p-4">
      <p ref={heading} tabIndex={-1} role="alert" className="text-[0.9375rem] outline-none">
        {t("conflict.what")}
      </p>
      <div className="mt-3 grid gap-4 @min-[36rem]:grid-cols-2">
        {(
          [
            ["mine", mine, theirs],
            ["theirs", theirs, mine],
          ] as const
        ).map(([whose, text, other]) => (
          <section key={whose} aria-label={t(`conflict.${whose}`)} className="flex min-w-0 flex-col">
            <p className="text-sm font-medium text-ink-soft">{t(`conflict.${whose}`)}</p>
            {/* Shown when the Markdown renderer is loaded: the marks are computed from the rendered text. */}
            <Suspense fallback={<Skeleton className="mt-1 flex-1" />}>
              <Lines text={text} other={other} markdown={markdown} label={t(`conflict.${whose}`)} />
            </Suspense>
            <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
              <Button size="small" disabled={saving} onClick={whose === "mine" ? onMine : onTheirs}>
                {saving && whose === "mine" && <Spinner className="size-4" />}
                {t(whose === "mine" ? "conflict.keepMine" : "conflict.takeTheirs")}
              </Button>
              <CopyButton text={text} markdown={markdown} />
            </div>
          </section>
        ))}
      </div>
      {onBack !== undefined && (
        <Button look="link" size="bare" className="mt-3 text-sm" onClick={onBack}>
          {t("conflict.back")}
        </Button>
      )}
    </div>
  );
}

type LinesProps = { text: string; other: string; markdown: boolean; label: string };

/** A text in which paragraphs that the other one does not have are marked; it opens at the first of them. */
function Lines({ text, other, markdown, label }: LinesProps) {
  const blocks = useMemo(() => {
    const known = new Set(blocksOf(other));
    return blocksOf(text).map((block) => ({ block, differs: !known.has(block) }));
  }, [text, other]);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const first = region.current?.querySelector<HTMLElement>("[data-differs]");
    if (first && region.current) region.current.scrollTop = Math.max(0, first.offsetTop - 12);
  }, [blocks]);
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div
      ref={region}
      role="region"
      aria-label={label}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative mt-1 max-h-80 flex-1 overflow-y-auto rounded-lg border border-rule bg-sheet p-3 font-serif"
    >
      {blocks.map(({ block, differs }, index) => (
        <div
          key={index}
          data-differs={differs || undefined}
          className={cn("-mx-3 px-3 [&+&]:mt-2", differs && "bg-due-soft")}
        >
          {markdown ? <Markdown text={block} /> : <p className="break-words whitespace-pre-wrap">{block}</p>}
        </div>
      ))}
    </div>
  );
}

/** Returns the paragraphs, lists and tables of a text, which blank lines separate. */
const blocksOf = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "");
