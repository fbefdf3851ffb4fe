import { Check, Circle, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Step, Turn } from "@/lib/api";
import { say } from "@/lib/message";
import { term } from "@/lib/terms";
import { Progress } from "@/lib/ui/progress";
import { Spinner } from "@/lib/ui/spinner";

/** The steps of a turn before it writes: done, current, and to come. */
export function Steps({ turn }: { turn: Turn }) {
  const { t } = useTranslation("conversation");
  const steps = turn.steps ?? [];
  const waiting = turn.state === "queued" || steps.length === 0;
  return (
    <div className="py-1">
      {waiting ? (
        <p className="flex items-center gap-3 text-ink-soft">
          <Spinner />
          {turn.queue > 0 ? t("queue", { count: turn.queue }) : t("starting")}
        </p>
      ) : (
        <ol className="space-y-2.5" aria-label={t("steps")}>
          {steps.map((step) => (
            <Line key={step.id} step={step} />
          ))}
        </ol>
      )}
    </div>
  );
}

/** A single line while a question waits for its answer, since it has few other steps. */
export function Thinking({ turn }: { turn: Turn }) {
  const { t } = useTranslation("conversation");
  const running = turn.steps?.find((step) => step.state === "running");
  const note = running === undefined ? "" : noteOf(running);
  return (
    <p className="flex items-center gap-3 py-1 text-ink-soft">
      <Spinner />
      {turn.queue > 0 ? t("queue", { count: turn.queue }) : note === "" ? t("thinking") : note}
    </p>
  );
}

/** A single line below text that is being written. */
export function CurrentStep({ turn }: { turn: Turn }) {
  const { t } = useTranslation("conversation");
  const running = turn.kind === "chat" ? undefined : turn.steps?.find((step) => step.state === "running");
  return (
    <p className="flex items-center gap-3 pt-4 text-[0.9375rem] text-ink-soft">
      <Spinner className="size-4" />
      {running === undefined ? t("working") : noteOf(running) || term(running.title)}
    </p>
  );
}

/** Returns what a step is doing; "" if nothing is known. */
const noteOf = ({ said, note }: Step) => say(said) || note;

function Line({ step }: { step: Step }) {
  const { t } = useTranslation("conversation");
  const running = step.state === "running";
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3" data-state={step.state}>
      <span className="mt-0.5">
        <Mark state={step.state} />
      </span>
      <div className={step.state === "pending" ? "text-ink-soft" : undefined}>
        <span className={running ? "font-medium" : undefined}>{term(step.title)}</span>
        <span className="sr-only"> ({t(`stepState.${step.state}`)})</span>
        {step.note !== "" && step.state !== "pending" && (
          <p className="text-[0.9375rem] text-ink-soft tabular-nums">{noteOf(step)}</p>
        )}
        {running && step.total > 1 && step.note === "" && (
          <p className="text-[0.9375rem] text-ink-soft tabular-nums">
            {t("stepDone", { done: step.done, total: step.total })}
          </p>
        )}
        {running && step.total > 1 && (
          <Progress value={step.done} max={step.total} label={term(step.title)} className="mt-2 max-w-72" />
        )}
      </div>
    </li>
  );
}

function Mark({ state }: { state: Step["state"] }) {
  switch (state) {
    case "done":
      return <Check aria-hidden className="size-5 text-safe" />;
    case "running":
      return <Spinner />;
    case "failed":
      return <X aria-hidden className="size-5 text-overdue" />;
    case "pending":
      return <Circle aria-hidden className="size-5 scale-50 text-rule-strong" />;
  }
}
