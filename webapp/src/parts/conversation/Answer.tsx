import { Check as Tick, Copy, FileDown, RotateCcw } from "lucide-react";
import { lazy, memo, Suspense, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Message, Provenance, RequiredDocument, Turn } from "@/lib/api";
import { say } from "@/lib/message";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { Sources } from "./Source";
import { placed, without, type Mark } from "./marks";
import { listShownBelow, withoutList } from "./requiredSection";
import { useCopy } from "./useCopy";
import { WordFile } from "./WordFile";

/** Renders Markdown; its code is loaded on first use, and AnswerText waits for that. */
export const Markdown = lazy(() => import("./Markdown"));
const Checked = lazy(async () => ({ default: (await import("./Checked")).Checked }));
const HowWritten = lazy(async () => ({ default: (await import("./HowWritten")).HowWritten }));

/** Shows a text of the assistant; the renderer is loaded when the first one is shown. */
export function AnswerText({
  text,
  marks,
  id,
  blanks = false,
}: {
  text: string;
  marks?: Mark[];
  id?: string;
  blanks?: boolean;
}) {
  return (
    <Suspense fallback={<TextSkeleton />}>
      <Markdown
        text={text}
        blanks={blanks}
        {...(marks === undefined ? {} : { marks })}
        {...(id === undefined ? {} : { id })}
      />
    </Suspense>
  );
}

const none: RequiredDocument[] = [];

type AnswerProps = {
  message: Message;
  /** The required documents, if they are shown below: the answer then hides its own list, which is still copied. */
  required?: RequiredDocument[];
  /** The address of the answer as a Word file. */
  word?: string | undefined;
  /** Other actions for the answer. */
  actions?: ReactNode;
};

/**
 * A finished answer: its text, what was checked, what wrote it, and what can be done with it. Memoised, since earlier
 * answers do not change while a new one streams in.
 */
export const Answer = memo(function Answer({ message, required = none, word, actions }: AnswerProps) {
  const { t } = useTranslation("conversation");
  const [text, marks, all] = useMemo(() => {
    const list = listShownBelow(message.text, required);
    const all = placed(message.checks ?? []);
    return [withoutList(message.text, required), list === null ? all : without(all, list.start, list.end), all];
  }, [message, required]);
  return (
    <article aria-label={t("answer")}>
      <AnswerText text={text} marks={marks} id={message.id} />
      {message.state === "stopped" && <p className="mt-4 text-sm text-ink-soft">{t("stopped")}</p>}
      <Suspense>
        <Checked id={message.id} checks={message.checks ?? []} shown={marks} />
      </Suspense>
      <Sources checks={message.checks ?? []} />
      {(message.provenance?.revision ?? 0) > 1 && <p className="mt-4 text-sm text-ink-soft">{t("revised")}</p>}
      <footer className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
        <CopyButton text={message.text} markdown marks={all} />
        {word !== undefined && <WordLink href={word} label={t("word")} />}
        {actions}
        {message.provenance && <Wrote provenance={message.provenance} />}
      </footer>
      {message.provenance && (
        <Suspense>
          <HowWritten provenance={message.provenance} turn={message.turn_id} />
        </Suspense>
      )}
    </article>
  );
});

type FailureProps = {
  /** The failed turn, if it can still be retried; null if other turns have followed. */
  turn: Turn | null;
  text: string;
  retrying: boolean;
  onRetry: (turnId: string) => void;
};

/**
 * A turn that failed, or was stopped before it wrote anything: says what happened, that nothing was lost, and offers to
 * retry.
 */
export function Failure({ turn, text, retrying, onRetry }: FailureProps) {
  const { t } = useTranslation("conversation");
  const step = turn?.state === "failed" ? turn.steps?.find(({ state }) => state === "failed") : undefined;
  return (
    <article aria-label={t("answer")} className="border-l-2 border-overdue pl-4">
      {text !== "" && <p>{term(text)}</p>}
      {turn !== null && (
        <>
          <p className="mt-1 text-[0.9375rem] text-ink-soft">
            {step !== undefined && <>{t("failedStep", { step: term(step.title) })} </>}
            {turn.error && <>{say(turn.error.said) || turn.error.sentence} </>}
            {t("nothingLost")}
          </p>
          <Works>
            <Button
              className="mt-3"
              size="small"
              disabled={retrying}
              onClick={() => {
                onRetry(turn.id);
              }}
            >
              {retrying ? <Spinner /> : <RotateCcw aria-hidden />}
              {t("retry")}
            </Button>
          </Works>
        </>
      )}
    </article>
  );
}

function Wrote({ provenance }: { provenance: Provenance }) {
  const { t } = useTranslation("conversation");
  return (
    <span data-testid="provenance">
      {provenance.model === "offline" ? t("wroteOffline") : t("wrote", { model: provenance.model })}
    </span>
  );
}

/** Downloads a text as a Word file. */
export function WordLink({ href, label }: { href: string; label: string }) {
  return (
    <Button asChild look="quiet" size="small">
      <WordFile href={href}>
        <FileDown aria-hidden />
        {label}
      </WordFile>
    </Button>
  );
}

type CopyProps = { text: string; label?: string; markdown?: boolean; marks?: Mark[] };

/** A button that copies a text and says so. Markdown is also copied with its formatting, and marks become footnotes. */
export function CopyButton({ text, label, markdown = false, marks }: CopyProps) {
  const { t } = useTranslation("conversation");
  const { copied, copy } = useCopy(text, markdown, marks);
  return (
    <Button look="quiet" size="small" className="-ml-3" onClick={copy}>
      {copied ? <Tick aria-hidden className="text-safe" /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? t("copied") : (label ?? t("copy"))}</span>
    </Button>
  );
}

function TextSkeleton() {
  return (
    <div className="max-w-2xl space-y-3 py-1">
      <Skeleton className="w-1/2" />
      <Skeleton />
      <Skeleton />
      <Skeleton className="w-4/5" />
    </div>
  );
}
