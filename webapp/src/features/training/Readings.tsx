import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { evalReadingsOptions, type EvalReading, type ReadingScore } from "@/lib/api";
import { count, moment } from "@/lib/format";
import { Pick } from "@/lib/ui/pick";
import { Table } from "@/lib/ui/table";
import { Loaded } from "./Loaded";

/**
 * How well notices of labelled corpora were read: the last runs of each corpus, and the latest by field and kind of
 * paper.
 */
export function Readings() {
  const { t } = useTranslation("training");
  const [picked, pick] = useState("");
  const offered = (run: EvalReading) =>
    t("reading.offeredOf", {
      offered: count(run.dates_offered + run.demands_offered),
      left: count(run.dates_left + run.demands_left),
    });
  return (
    <Loaded title={t("reading.title")} query={useQuery(evalReadingsOptions())} failed={t("reading.failed")}>
      {({ readings: all }) => {
        const readings = all ?? [];
        const corpora = [...new Set(readings.map(({ corpus }) => corpus))];
        const corpus = corpora.includes(picked) ? picked : corpora[0];
        const runs = readings.filter((one) => one.corpus === corpus);
        const latest = runs[0];
        if (corpus === undefined || latest === undefined) {
          return <p className="mt-1 max-w-2xl text-ink-soft">{t("reading.none")}</p>;
        }
        return (
          <>
            <p className="mt-1 max-w-2xl text-ink-soft">{t("reading.hint")}</p>
            <div className="mt-2 max-w-sm">
              <Pick
                label={t("reading.corpus")}
                value={corpus}
                options={corpora.map((name) => ({ value: name, name }))}
                onPick={pick}
              />
            </div>
            <Table
              label={t("reading.runs", { corpus })}
              head={[
                t("runs.when"),
                t("reading.papers"),
                t("reading.f1"),
                t("reading.right"),
                t("reading.wrong"),
                t("reading.missing"),
                t("reading.offered"),
              ]}
              rows={runs.map((run) => ({ key: run.id, cells: [...rowOf(run), offered(run)] }))}
            />
            <Scores
              label={t("reading.byField")}
              first={t("reading.field")}
              scores={latest.fields ?? []}
              names="field"
            />
            <Scores
              label={t("reading.byClass")}
              first={t("reading.class")}
              scores={latest.classes ?? []}
              names="class"
            />
          </>
        );
      }}
    </Loaded>
  );
}

const share = (f1: number) => f1.toFixed(3);

const rowOf = (run: EvalReading): ReactNode[] => [
  moment(run.at),
  count(run.papers),
  <strong key="f1" className="font-medium">
    {share(run.all.f1)}
  </strong>,
  count(run.all.right),
  count(run.all.wrong),
  count(run.all.missing),
];

/** The scores of the latest run by field or kind of paper. */
function Scores(props: { label: string; first: string; scores: ReadingScore[]; names: "field" | "class" }) {
  const { t } = useTranslation("training");
  const nameOf = (name: string) =>
    props.names === "field"
      ? t(`reading.fields.${name as "form"}`)
      : name === "letter" || name === "other"
        ? t(`reading.classes.${name}`)
        : name;
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer rounded py-1 text-sm text-accent underline-offset-4 hover:underline">
        {props.label}
      </summary>
      <Table
        label={props.label}
        head={[props.first, t("reading.f1"), t("reading.right"), t("reading.wrong"), t("reading.missing")]}
        rows={props.scores.map((score) => ({
          key: score.name,
          cells: [nameOf(score.name), share(score.f1), count(score.right), count(score.wrong), count(score.missing)],
        }))}
      />
    </details>
  );
}
