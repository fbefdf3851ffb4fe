import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { evalComparisonOptions, sentenceOf, type EvalChange, type EvalRun } from "@/lib/api";
import { moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Changes } from "@/lib/ui/Changes";
import { Pick } from "@/lib/ui/pick";
import { Skeleton } from "@/lib/ui/skeleton";

const [nothing, blessed] = ["", "blessed"];

/**
 * What changed from another run (at first the previous one of the same cases) to this one: each case that was fixed or
 * broken, with the differences in its answer.
 */
export function Comparison({ run, others }: { run: EvalRun; others: EvalRun[] }) {
  const { t } = useTranslation("training");
  const [before, pick] = useState(
    () =>
      others.find((other) => new Date(other.created_at) < new Date(run.created_at) && sameCases(other, run))?.id ??
      nothing,
  );
  const accuracy = (other: EvalRun) => (other.totals.of === 0 ? t("noCases") : other.totals.accuracy);
  return (
    <div className="mt-3">
      <div className="max-w-sm">
        <Pick
          label={t("compare.with")}
          value={before}
          options={[
            { value: nothing, name: t("compare.nothing") },
            { value: blessed, name: t("compare.blessed") },
            ...others.map((other) => ({
              value: other.id,
              name: t("compare.option", {
                at: moment(other.created_at),
                plugins: Object.keys(other.bundles).sort().join(", "),
                accuracy: accuracy(other),
              }),
            })),
          ]}
          onPick={pick}
        />
      </div>
      {before !== nothing && <Changed id={run.id} before={before === blessed ? null : before} />}
    </div>
  );
}

/** Reports whether two runs have the same cases. */
function sameCases(a: EvalRun, b: EvalRun): boolean {
  const casesOf = (run: EvalRun) =>
    [run.set, ...Object.keys(run.bundles).sort(), ...[...(run.chosen ?? [])].sort()].join(" ");
  return casesOf(a) === casesOf(b);
}

function Changed({ id, before }: { id: string; before: string | null }) {
  const { t } = useTranslation("training");
  const { data, error, refetch } = useQuery(evalComparisonOptions(id, before));
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="mt-3" />
    ) : (
      <div role="alert" className="mt-3">
        <p>{sentenceOf(error, t("compare.failed"))}</p>
        <Button size="small" className="mt-2" onClick={() => void refetch()}>
          {t("again")}
        </Button>
      </div>
    );
  }
  const groups = { broken: data.broken ?? [], fixed: data.fixed ?? [], reworded: data.reworded ?? [] };
  const common = data.before.of > 0 || data.after.of > 0;
  return (
    <div className="mt-3">
      <p role="status" className="tabular-nums">
        {common
          ? t("compare.sum", {
              fixed: groups.fixed.length,
              broken: groups.broken.length,
              unchanged: data.unchanged + groups.reworded.length,
              before: data.before.accuracy,
              after: data.after.accuracy,
            })
          : t("compare.none")}
      </p>
      {(["broken", "fixed", "reworded"] as const).map(
        (kind) =>
          groups[kind].length > 0 && (
            <section key={kind} className="mt-3" aria-label={t(`compare.${kind}`)}>
              <h4 className="font-medium">{t(`compare.${kind}`)}</h4>
              <ul className="mt-1 space-y-2">
                {groups[kind].map((change) => (
                  <Change key={change.case} change={change} />
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  );
}

function Change({ change }: { change: EvalChange }) {
  const { t } = useTranslation("training");
  return (
    <li>
      <code>{change.case}</code> <span className="text-sm text-ink-soft">{(change.graders ?? []).join(", ")}</span>
      {change.hard && <span className="text-sm text-overdue"> {t("compare.hard")}</span>}
      {(change.says ?? []).map((sentence) => (
        <p key={sentence} className="text-sm text-ink-soft">
          {sentence}
        </p>
      ))}
      {change.diff !== "" && (
        <details>
          <summary className="w-fit cursor-pointer rounded py-1 text-sm text-accent underline-offset-4 hover:underline">
            {t("compare.diff")}
          </summary>
          <Changes
            diff={change.diff}
            label={t("compare.diffOf", { case: change.case })}
            words={{ added: t("compare.added"), removed: t("compare.removed") }}
            className="max-h-80 max-w-2xl text-sm"
          />
        </details>
      )}
    </li>
  );
}
