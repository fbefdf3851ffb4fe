import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { evalRunsOptions, type EvalRun } from "@/lib/api";
import { ago, count } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Table } from "@/lib/ui/table";
import { EvalRunDetail } from "./EvalRunDetail";
import { Loaded } from "./Loaded";

const fewRuns = 10;

type Props = { opened: string; open: (run: string) => void };

/** The latest runs of cases, whoever started them. */
export function EvalRuns({ opened, open }: Props) {
  const { t } = useTranslation("training");
  const [all, showAll] = useState(false);
  const casesOf = (run: EvalRun) => {
    const chosen = (run.chosen ?? []).length;
    return chosen > 0
      ? t("runs.chosen", { count: chosen })
      : run.set === ""
        ? t("start.everySet")
        : t(`set.${run.set as "golden"}`);
  };
  const row = (run: EvalRun): ReactNode[] => {
    const shown = run.id === opened;
    const goesOn = run.state === "queued" || run.state === "running"; // a run has totals only when it has ended
    const counted = (number: number) => (goesOn ? "–" : count(number));
    return [
      ago(run.created_at),
      <span key="cases">
        {pluginsOf(run) || t("runs.nobody")} <span className="block text-sm text-ink-soft">{casesOf(run)}</span>
      </span>,
      t(`runs.by.${run.by}`),
      goesOn ? "–" : run.totals.of === 0 ? t("noCases") : run.totals.accuracy,
      counted(run.totals.passed),
      counted(run.totals.failed),
      <span key="state">
        {run.state === "running"
          ? t("runs.isRunning", { done: count(run.done), of: count(run.tests) })
          : t(`runs.is.${run.state}`)}
        {(run.blessed_for ?? []).length > 0 && (
          <strong className="block font-medium text-safe">
            {t("runs.blessed", { plugins: (run.blessed_for ?? []).join(", ") })}
          </strong>
        )}
      </span>,
      <Button
        key="open"
        look="link"
        size="bare"
        aria-expanded={shown}
        aria-label={t(shown ? "runs.hideOf" : "runs.showOf", { plugins: pluginsOf(run), ago: ago(run.created_at) })}
        onClick={() => {
          open(shown ? "" : run.id);
        }}
      >
        {t(shown ? "runs.hide" : "runs.show")}
      </Button>,
    ];
  };
  return (
    <Loaded title={t("runs.title")} query={useQuery(evalRunsOptions())} failed={t("runs.failed")}>
      {(data) => {
        const runs = data.runs ?? [];
        const listed = runs.filter(({ id }, n) => all || n < fewRuns || id === opened);
        if (runs.length === 0) return <p className="mt-1 text-ink-soft">{t("runs.none")}</p>;
        return (
          <>
            <Table
              label={t("runs.title")}
              head={[
                t("runs.when"),
                t("runs.plugin"),
                t("runs.from"),
                t("accuracy"),
                t("passed"),
                t("failedTests"),
                t("runs.state"),
                "",
              ]}
              rows={listed.map((run) => ({
                key: run.id,
                cells: row(run),
                below: run.id === opened && (
                  <EvalRunDetail id={run.id} others={runs.filter(({ id }) => id !== run.id)} />
                ),
              }))}
            />
            {runs.length > listed.length && (
              <Button
                look="link"
                size="small"
                className="px-0"
                onClick={() => {
                  showAll(true);
                }}
              >
                {t("runs.all", { count: runs.length - listed.length })}
              </Button>
            )}
            {opened !== "" && runs.every(({ id }) => id !== opened) && (
              <div className="mt-4">
                <EvalRunDetail key={opened} id={opened} others={runs} />
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** Returns the names of the plugins whose cases a run has. */
export function pluginsOf(run: EvalRun): string {
  return Object.keys(run.bundles).sort().join(", ");
}
