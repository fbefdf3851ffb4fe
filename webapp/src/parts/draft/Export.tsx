import { Check, Copy, Download, Printer, TriangleAlert } from "lucide-react";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { draftWordUrl, type Draft } from "@/lib/api";
import { blanksIn, toneOf, useCopy, WordFile, wordsOf } from "@/parts/conversation";
import { day, daysUntil } from "@/lib/format";
import { firmHere } from "@/lib/place";
import { saidOf } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { namesIn, printAs } from "@/lib/ui/paper";
import { marksOf, openOf, partsOf, textOf } from "./text";

/** An undecided paragraph of a notice. */
export type Undecided = { key: string; name: string };

type ExportProps = {
  draft: Draft;
  /** The facts of the notice that it is about, if any. */
  facts: unknown;
  undecided: Undecided[];
  /** For a reply: the last day to reply, as an ISO date. */
  replyBy: string | null;
  /** Shows the paragraph, so that it can be decided. */
  onDecide: (key: string) => void;
  open: boolean;
  onClose: () => void;
};

/** Reports whether a firm's draft still has to be approved, so that its pages are marked DRAFT. */
export const unapproved = (draft: Draft): boolean => firmHere !== null && draft.state !== "approved";

/** What to check before a draft is sent, and the ways to export it. */
export function Export({ draft, facts, undecided, replyBy, onDecide, open, onClose }: ExportProps) {
  const { t } = useTranslation("draft");
  const { blanks, unverified } = openOf(draft);
  // The focus first returns to the button that opened this, and then moves on.
  const going = useRef<string | null>(null);
  const printing = useRef(false);
  const print = useEffectEvent(() => {
    // As its Word file is named.
    printAs(draft.kind === "reply" ? "GST Notice Reply" : draft.title, ...namesIn(facts));
  });
  useEffect(() => {
    if (open || !printing.current) return;
    printing.current = false;
    // Once the dialog is gone: what is behind it does not print.
    setTimeout(() => {
      print();
    });
  }, [open]);
  useEffect(() => {
    if (open || going.current === null) return;
    const key = going.current;
    going.current = null;
    setTimeout(() => {
      onDecide(key);
    });
  }, [open, onDecide]);
  const passed = replyBy === null ? 0 : Math.max(0, -(daysUntil(replyBy) ?? 0));
  const clear = undecided.length === 0 && blanks === 0 && unverified === 0;
  return (
    <Dialog
      open={open}
      onOpenChange={(wanted) => {
        if (!wanted) onClose();
      }}
    >
      <DialogContent
        title={t("export.title")}
        closeLabel={t("close")}
        className="flex max-h-[calc(100dvh-24px)] max-w-2xl flex-col"
      >
        <div className="mt-2 min-h-0 space-y-4 overflow-y-auto text-[0.9375rem]">
          {replyBy !== null && passed > 0 && (
            <p className="flex gap-2">
              <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-overdue" />
              <span>
                <span className="font-medium">{t("export.passed", { count: passed, date: day(replyBy) })}</span>{" "}
                {t("export.passedHint")}
              </span>
            </p>
          )}
          {clear && (
            <p className="flex gap-2">
              <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-safe" />
              {t("export.clear")}
            </p>
          )}
          {undecided.length > 0 && (
            <Open title={t("export.undecided", { count: undecided.length })}>
              {undecided.map(({ key, name }) => (
                <li key={key} className="inline-block pr-3">
                  <Button
                    look="link"
                    size="bare"
                    className="text-[length:inherit]"
                    onClick={() => {
                      going.current = key;
                      onClose();
                    }}
                  >
                    {name}
                  </Button>
                </li>
              ))}
            </Open>
          )}
          {blanks > 0 && (
            <Open title={t("export.blanks", { count: blanks })}>
              {partsOf(draft).flatMap(({ id, text }) =>
                blanksIn(text).map(({ from, to }) => (
                  <li key={`${id} ${String(from)}`} className="truncate border-l-2 border-due pl-2.5">
                    <span className="text-ink-soft">{lead(text, from)}</span>
                    {unescaped(text.slice(from, to))}
                  </li>
                )),
              )}
            </Open>
          )}
          {unverified > 0 && (
            <Open title={t("export.unverified", { count: unverified })}>
              {partsOf(draft).flatMap(({ id, checks }) =>
                (checks ?? [])
                  .filter((check) => toneOf(check) === "bad")
                  .map((check, index) => (
                    <li key={`${id} ${String(index)}`} className="border-l-2 border-due pl-2.5">
                      {check.quote !== "" && <q className="font-serif">{wordsOf(check)}</q>} {saidOf(check)}
                    </li>
                  )),
              )}
            </Open>
          )}
        </div>
        <p className="mt-4 text-sm text-ink-soft">
          {t("export.review")}
          {unapproved(draft) && <> {t("export.draft")}</>}
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button look="primary" asChild>
            <WordFile href={draftWordUrl(draft.id)}>
              <Download aria-hidden />
              {t("export.word")}
            </WordFile>
          </Button>
          <Button
            onClick={() => {
              printing.current = true;
              onClose();
            }}
          >
            <Printer aria-hidden />
            {t("export.print")}
          </Button>
          <CopyDraft draft={draft} />
        </div>
      </DialogContent>
    </Dialog>
  );
}

function Open({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="font-medium">{title}</h3>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <ul
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={title}
        className="mt-1 max-h-40 space-y-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        {children}
      </ul>
    </section>
  );
}

/** Removes the backslashes that escape Markdown characters. */
const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");

/** Returns some words before a place, to show where it is. */
function lead(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at).replace(/[*_>#|\\]+/g, " ");
  return line.length <= 48 ? line : `…${line.slice(-48)}`;
}

/** Copies a draft for a mail or a word processor: as text, and with headings, lists and tables. */
function CopyDraft({ draft }: { draft: Draft }) {
  const { t } = useTranslation("draft");
  const { copied, copy } = useCopy(textOf(draft), true, marksOf(draft));
  return (
    <Button onClick={copy}>
      {copied ? <Check aria-hidden className="text-safe" /> : <Copy aria-hidden />}
      <span aria-live="polite">{t(copied ? "export.copied" : "export.copy")}</span>
    </Button>
  );
}
