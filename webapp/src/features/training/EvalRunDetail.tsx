import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import {
  blessEvalRun,
  cancelEvalRun,
  evalRunOptions,
  evalRunQueryKey,
  evalRunsQueryKey,
  sentenceOf,
  trainingQueryKey,
  type EvalDetail,
  type EvalResult,
  type EvalRun,
  type EvalVerdict,
} from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Progress } from "@/lib/ui/progress";
import { cn } from "@/lib/ui/cn";
import { Skeleton } from "@/lib/ui/skeleton";
import { Table } from "@/lib/ui/table";
import { Comparison } from "./Comparison";

type Props = { id: string; others: EvalRun[] };

/** A run: which model answered, what can be done with it, what changed since another run, and its cases. */
export function EvalRunDetail({ id, others }: Props) {
  const { t } = useTranslation("training");
  const here = useRef<HTMLDivElement>(null);
  const { data: run, error, refetch } = useQuery(evalRunOptions(id));
  const loaded = run !== undefined;
  useEffect(() => {
    if (loaded) here.current?.scrollIntoView({ block: "nearest" });
  }, [loaded]);
  if (run === undefined) {
    return error === null ? (
      <Skeleton />
    ) : (
      <div role="alert">
        <p>{sentenceOf(error, t("runs.failed"))}</p>
        <Button size="small" className="mt-2" onClick={() => void refetch()}>
          {t("again")}
        </Button>
      </div>
    );
  }
  const why = [run.reason, ...(run.held ?? [])].filter((sentence) => sentence !== "");
  return (
    // On a phone it stays visible while the table of runs is scrolled sideways, and is no wider than the screen.
    <div
      ref={here}
      tabIndex={-1}
      className="sticky left-2 max-w-[calc(100vw-3.5rem)] border-l-2 border-rule pl-3 sm:pl-4"
    >
      {run.model !== "" && <p className="text-sm text-ink-soft">{t("detail.model", { model: run.model })}</p>}
      {why.map((sentence) => (
        <p key={sentence} className="text-overdue">
          {sentence}
        </p>
      ))}
      <Acts run={run} home={here} />
      {(run.state === "queued" || run.state === "running") && (
        <Progress value={run.done} max={run.tests} label={t("detail.progress")} className="mt-2 max-w-xs" />
      )}
      {run.state === "done" && <Comparison run={run} others={others.filter(({ state }) => state === "done")} />}
      <Cases results={run.results ?? []} />
    </div>
  );
}

function Acts({ run, home }: { run: EvalDetail; home: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation("training");
  const queries = useQueryClient();
  const running = run.state === "queued" || run.state === "running";
  const act = useMutation({
    mutationFn: async () =>
      (await (running ? cancelEvalRun : blessEvalRun)({ path: { id: run.id }, throwOnError: true })).data,
    onSuccess: (now) => {
      home.current?.focus({ preventScroll: true }); // the button disappears, and would take the keyboard focus with it
      queries.setQueryData(evalRunQueryKey(run.id), now);
    },
    onError: (error) => {
      toast.error(sentenceOf(error, t("detail.failed")));
    },
    onSettled: () =>
      Promise.all([evalRunsQueryKey(), trainingQueryKey()].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const blessed = (run.blessed_for ?? []).length > 0;
  const whole = (run.chosen ?? []).length === 0; // the score of selected cases says nothing about a set
  if (!running && (run.state !== "done" || blessed || !whole)) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        size="small"
        disabled={act.isPending}
        onClick={() => {
          act.mutate();
        }}
      >
        {t(running ? "detail.cancel" : "detail.bless")}
      </Button>
      <span className="text-sm text-ink-soft">{t(running ? "detail.cancelHint" : "detail.blessHint")}</span>
    </div>
  );
}

function Cases({ results }: { results: EvalResult[] }) {
  const { t } = useTranslation("training");
  const [opened, open] = useState("");
  if (results.length === 0) return <p className="mt-3 text-ink-soft">{t("cases.none")}</p>;
  const keyOf = (result: EvalResult) => `${result.case} ${String(result.repeat)}`;
  const row = (result: EvalResult): ReactNode[] => {
    const shown = keyOf(result) === opened;
    return [
      result.case,
      result.category,
      <span
        key="outcome"
        className={cn(result.outcome === "failed" && "text-overdue", result.outcome === "passed" && "text-safe")}
      >
        {t(`cases.is.${result.outcome}`)}
      </span>,
      t("cases.seconds", { seconds: (result.milliseconds / 1000).toFixed(1) }) +
        (result.cached ? ` ${t("cases.cached")}` : ""),
      <Button
        key="open"
        look="link"
        size="bare"
        aria-expanded={shown}
        aria-label={t(shown ? "cases.hideOf" : "cases.showOf", { case: result.case })}
        onClick={() => {
          open(shown ? "" : keyOf(result));
        }}
      >
        {t(shown ? "cases.hide" : "cases.show")}
      </Button>,
    ];
  };
  return (
    <Table
      label={t("cases.title")}
      head={[t("cases.case"), t("cases.category"), t("cases.outcome"), t("cases.took"), ""]}
      rows={results.map((result) => ({
        key: keyOf(result),
        cells: row(result),
        below: keyOf(result) === opened && <Answer result={result} />,
      }))}
    />
  );
}

/** The answer, and the verdict of each grader on it. */
function Answer({ result }: { result: EvalResult }) {
  const { t } = useTranslation("training");
  return (
    <div className="sticky left-2 max-w-[min(42rem,calc(100vw-5.5rem))]">
      <ul className="space-y-1 text-sm">
        {(result.verdicts ?? []).map((verdict, index) => (
          <li key={index}>
            <span
              className={cn(
                "font-medium",
                stands(verdict) === "failed" && "text-overdue",
                stands(verdict) === "passed" && "text-safe",
              )}
            >
              {t(`cases.verdict.${stands(verdict)}`)}
            </span>{" "}
            <code>{verdict.grader}</code>
            {verdict.model && ` ${t("cases.judged")}`}
            {verdict.hard && ` ${t("cases.hard")}`}
            {verdict.says !== "" && <span className="block text-ink-soft">{verdict.says}</span>}
          </li>
        ))}
      </ul>
      {result.error !== "" && <p className="mt-2 text-overdue">{result.error}</p>}
      {result.output !== "" && (
        // Focusable, so that it can be scrolled with the keyboard.
        <div
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="region"
          aria-label={t("cases.output", { case: result.case })}
          className="mt-2 max-h-80 overflow-auto rounded-lg border border-rule bg-sheet p-3 font-serif whitespace-pre-wrap"
        >
          {result.output}
        </div>
      )}
    </div>
  );
}

const stands = (verdict: EvalVerdict) => (verdict.skipped ? "skipped" : verdict.passed ? "passed" : "failed");
