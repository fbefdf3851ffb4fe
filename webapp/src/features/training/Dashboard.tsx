import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
  evalRunsQueryKey,
  meOptions,
  publicConfigOptions,
  runTraining,
  trainingOptions,
  trainingQueryKey,
  type Training,
} from "@/lib/api";
import { ago, count } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Progress } from "@/lib/ui/progress";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { Evaluations } from "./Evaluations";

/**
 * Runs the built-in examples, and says how many were answered correctly; operators also see every run with its cases.
 */
export function Dashboard() {
  const { t } = useTranslation("training");
  const queries = useQueryClient();
  const config = useQuery(publicConfigOptions()).data;
  const me = useQuery(meOptions()).data;
  const training = useQuery(trainingOptions());
  const run = useMutation({
    mutationFn: async () => (await runTraining({ throwOnError: true })).data,
    onSuccess: (begun) => {
      queries.setQueryData(trainingQueryKey(), begun);
      void queries.invalidateQueries({ queryKey: evalRunsQueryKey() });
    },
  });
  const data = training.data;
  const running = run.isPending || data?.state === "running";
  const failed = !running && (run.isError || training.isError || data?.state === "failed");
  const start = () => {
    run.mutate();
  };
  return (
    <div className="pb-4">
      <p className="max-w-2xl text-ink-soft">{t("intro")}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button className="min-w-52" disabled={running || training.isPending} onClick={start}>
          {running && <Spinner />}
          {t(running ? "running" : "run")}
        </Button>
        <div className="flex min-h-11 min-w-40 flex-1 flex-col justify-center text-sm text-ink-soft tabular-nums">
          {data?.state === "running" ? (
            <>
              <p>{t("progress", { done: count(data.done), of: count(data.of) })}</p>
              <Progress value={data.done} max={data.of} label={t("progressLabel")} className="mt-1 max-w-xs" />
            </>
          ) : (
            data !== undefined &&
            !failed && (
              <p>
                {data.finished_at === undefined
                  ? t("never")
                  : t(data.cached ? "cached" : "asOf", { ago: ago(data.finished_at) })}
              </p>
            )
          )}
        </div>
      </div>
      <div role="alert">
        {failed && (
          <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-overdue">
            {t("failed")}
            <Button size="small" onClick={start}>
              {t("again")}
            </Button>
          </p>
        )}
      </div>
      {training.isPending ? (
        <div className="mt-4 h-16">
          <Skeleton className="w-48" />
        </div>
      ) : (
        <Numbers training={data} />
      )}
      <Answered training={data} />
      {(config?.operator === true || me?.operator === true) && <Evaluations />}
    </div>
  );
}

/** Names the model that gave the last measured answers or, before the first measurement, the configured one. */
function Answered({ training }: { training: Training | undefined }) {
  const { t } = useTranslation("training");
  const config = useQuery(publicConfigOptions()).data;
  const words =
    training?.offline === true
      ? t("answeredOffline")
      : training !== undefined && training.model !== ""
        ? t("answeredBy", { model: training.model })
        : config === undefined
          ? ""
          : config.model.offline
            ? t("offline")
            : t("model", { model: config.model.name });
  return words !== "" && <p className="mt-3 max-w-2xl text-sm text-ink-soft">{words}</p>;
}

/** The last measurement; nothing if it failed or is not loaded yet. */
function Numbers({ training }: { training: Training | undefined }) {
  const { t } = useTranslation("training");
  const done = training?.state === "done" ? training : undefined;
  const metrics = done?.metrics;
  const accuracy = done === undefined ? t("unknown") : done.metrics.totalTests === 0 ? t("noCases") : done.shown;
  const passed = metrics === undefined ? t("unknown") : count(metrics.passedTests);
  const failed = metrics === undefined ? t("unknown") : count(metrics.failedTests);
  return (
    <>
      <dl className="mt-4 flex flex-wrap gap-x-10 gap-y-3">
        <Figure name={t("accuracy")}>{accuracy}</Figure>
        <Figure name={t("passed")}>{passed}</Figure>
        <Figure name={t("failedTests")}>{failed}</Figure>
        {done?.contains !== undefined && (
          <Figure name={t("contains")}>
            {t("containsOf", {
              accuracy: done.contains.accuracy,
              passed: count(done.contains.passed),
              of: count(done.contains.of),
            })}
          </Figure>
        )}
      </dl>
      <p role="status" className="sr-only">
        {done !== undefined && t("result", { accuracy, passed, failed })}
      </p>
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-serif text-2xl font-semibold tabular-nums">{children}</dd>
    </div>
  );
}
