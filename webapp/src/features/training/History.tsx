import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { evalHistoryOptions, type EvalPoint, type EvalSeries } from "@/lib/api";
import { count, moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Pick } from "@/lib/ui/pick";
import { Table } from "@/lib/ui/table";
import { Loaded } from "./Loaded";

const mostDrawn = 30;

/** The accuracy of each plugin's sets over time, with what changed in between. */
export function History({ onOpen }: { onOpen: (run: string) => void }) {
  const { t } = useTranslation("training");
  const [picked, pick] = useState("");
  return (
    <Loaded title={t("history.title")} query={useQuery(evalHistoryOptions())} failed={t("history.failed")}>
      {({ series: all }) => {
        const series = all ?? [];
        const shown = series.find((one) => keyOf(one) === picked) ?? series[0];
        if (shown === undefined) return <p className="mt-1 text-ink-soft">{t("history.none")}</p>;
        return (
          <>
            <div className="mt-1 max-w-sm">
              <Pick
                label={t("history.of")}
                value={keyOf(shown)}
                options={series.map((one) => ({
                  value: keyOf(one),
                  name: t("history.series", { plugin: one.plugin, set: t(`set.${one.set}`) }),
                }))}
                onPick={pick}
              />
            </div>
            <Chart key={keyOf(shown)} series={shown} onOpen={onOpen} />
            <Numbers points={shown.points ?? []} />
          </>
        );
      }}
    </Loaded>
  );
}

const keyOf = ({ plugin, set }: EvalSeries) => `${plugin}/${set}`;
const rateOf = ({ passed, of }: EvalPoint) => (of === 0 ? 0 : passed / of);
const percent = (share: number) => `${String(share * 100)}%`;

/** The latest points as a chart; each is a button, and the arrow keys move between them. */
function Chart({ series, onOpen }: { series: EvalSeries; onOpen: (run: string) => void }) {
  const { t } = useTranslation("training");
  const points = (series.points ?? []).slice(-mostDrawn);
  const [at, go] = useState("");
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const index = Math.max(0, at === "" ? points.length - 1 : points.findIndex(({ run }) => run === at));
  const point = points[index];
  const [first, last] = [points[0], points[points.length - 1]];
  if (point === undefined || first === undefined || last === undefined) return null;
  const x = (n: number) => (points.length === 1 ? 0.5 : 0.02 + (0.96 * n) / (points.length - 1));
  const y = (share: number) => 0.06 + 0.9 * (1 - share);
  const move = (to: number) => {
    const next = points[Math.min(points.length - 1, Math.max(0, to))];
    if (next === undefined) return;
    go(next.run);
    buttons.current[points.indexOf(next)]?.focus();
  };
  const keys: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: points.length - 1 };
  const name = t("history.name", {
    plugin: series.plugin,
    set: t(`set.${series.set}`),
    count: points.length,
    first: moment(first.at),
    firstAccuracy: first.accuracy,
    last: moment(last.at),
    lastAccuracy: last.accuracy,
  });
  return (
    <figure className="mt-3 max-w-4xl">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div aria-hidden className="relative w-9 text-right text-xs text-ink-soft tabular-nums">
          {[1, 0.5, 0].map((share) => (
            <span key={share} className="absolute right-0 -translate-y-1/2" style={{ top: percent(y(share)) }}>
              {share * 100}%
            </span>
          ))}
        </div>
        <div className="relative h-52">
          <svg role="img" aria-label={name} className="absolute inset-0 size-full overflow-visible">
            {[0, 0.25, 0.5, 0.75, 1].map((share) => (
              <line
                key={share}
                x1="0"
                x2="100%"
                y1={percent(y(share))}
                y2={percent(y(share))}
                className="stroke-rule"
              />
            ))}
            {points.map((one, n) => (
              <g key={one.run}>
                {(one.prompts_changed || one.model_changed) && (
                  <line
                    x1={percent(x(n))}
                    x2={percent(x(n))}
                    y1="0"
                    y2="100%"
                    strokeDasharray={one.model_changed ? "1 5" : "6 4"}
                    strokeWidth={one.model_changed ? 3 : 1.5}
                    className="stroke-due"
                  />
                )}
                <line
                  x1={percent(x(n))}
                  x2={percent(x(n))}
                  y1={percent(y(one.low))}
                  y2={percent(y(one.high))}
                  strokeWidth="5"
                  strokeLinecap="round"
                  className="stroke-rule-strong/40"
                />
              </g>
            ))}
            {points.slice(1).map((one, n) => (
              <line
                key={one.run}
                x1={percent(x(n))}
                x2={percent(x(n + 1))}
                y1={percent(y(rateOf(points[n] ?? one)))}
                y2={percent(y(rateOf(one)))}
                strokeWidth="2"
                className="stroke-accent"
              />
            ))}
          </svg>
          <div role="group" aria-label={t("history.points")}>
            {points.map((one, n) => (
              <button
                key={one.run}
                ref={(button) => {
                  buttons.current[n] = button;
                }}
                type="button"
                tabIndex={n === index ? 0 : -1}
                aria-pressed={n === index}
                aria-label={t("history.point", { at: moment(one.at), accuracy: one.accuracy })}
                className="absolute grid size-6 -translate-1/2 place-items-center rounded-full"
                style={{ left: percent(x(n)), top: percent(y(rateOf(one))) }}
                onClick={() => {
                  go(one.run);
                }}
                onFocus={() => {
                  go(one.run);
                }}
                onKeyDown={(event) => {
                  const to = keys[event.key];
                  if (to === undefined) return;
                  event.preventDefault();
                  move(to);
                }}
              >
                <Dot blessed={one.blessed} current={n === index} />
              </button>
            ))}
          </div>
        </div>
        <div aria-hidden className="col-start-2 mt-1 flex justify-between gap-4 text-xs text-ink-soft tabular-nums">
          <span>{moment(first.at)}</span>
          {points.length > 1 && <span className="text-right">{moment(last.at)}</span>}
        </div>
      </div>
      <figcaption className="mt-2">
        <ul aria-label={t("history.legend")} className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft">
          <Sign words={t("history.prompts")}>
            <line x1="8" x2="8" y1="0" y2="16" strokeDasharray="6 4" strokeWidth="1.5" className="stroke-due" />
          </Sign>
          <Sign words={t("history.model")}>
            <line x1="8" x2="8" y1="0" y2="16" strokeDasharray="1 5" strokeWidth="3" className="stroke-due" />
          </Sign>
          <Sign words={t("history.interval")}>
            <line
              x1="8"
              x2="8"
              y1="3"
              y2="13"
              strokeWidth="5"
              strokeLinecap="round"
              className="stroke-rule-strong/40"
            />
          </Sign>
          <li className="flex items-center gap-1.5">
            <Dot blessed current={false} />
            {t("history.blessed")}
          </li>
        </ul>
        <p role="status" className="mt-2 [overflow-wrap:anywhere] tabular-nums">
          <strong className="font-medium">
            {t("history.point", { at: moment(point.at), accuracy: point.accuracy })}
          </strong>{" "}
          {t("history.detail", {
            passed: count(point.passed),
            of: count(point.of),
            ...bounds(point),
            sha: point.prompts.slice(0, 10),
            model: point.model,
          })}
          <Changes point={point} />
        </p>
        <Button
          size="small"
          className="mt-1"
          onClick={() => {
            onOpen(point.run);
          }}
        >
          {t("history.open")}
        </Button>
      </figcaption>
    </figure>
  );
}

const bounds = ({ low, high }: EvalPoint) => ({ low: (low * 100).toFixed(0), high: (high * 100).toFixed(0) });

function Dot({ blessed, current }: { blessed: boolean; current: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        "block rounded-full border-2 border-sheet bg-accent",
        current ? "size-4" : "size-3",
        blessed && "bg-safe outline-2 outline-safe",
      )}
    />
  );
}

function Sign({ words, children }: { words: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      <svg aria-hidden className="size-4 shrink-0">
        {children}
      </svg>
      {words}
    </li>
  );
}

/** What is different from the previous point. */
function Changes({ point }: { point: EvalPoint }) {
  const { t } = useTranslation("training");
  const said = [
    point.prompts_changed && t("history.promptsChanged"),
    point.model_changed && t("history.modelChanged"),
    point.blessed && t("history.isBlessed"),
  ];
  return said.map((words) => words !== false && <span key={words}> {words}</span>);
}

/** The same numbers as a table, latest first. */
function Numbers({ points }: { points: EvalPoint[] }) {
  const { t } = useTranslation("training");
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer rounded py-1 text-sm text-accent underline-offset-4 hover:underline">
        {t("history.table")}
      </summary>
      <Table
        label={t("history.table")}
        head={[
          t("runs.when"),
          t("accuracy"),
          t("passed"),
          t("history.between"),
          t("runs.from"),
          t("start.prompts"),
          t("history.answered"),
          t("history.notes"),
        ]}
        rows={points.toReversed().map((point) => ({
          key: point.run,
          cells: [
            moment(point.at),
            point.accuracy,
            t("history.passedOf", { passed: count(point.passed), of: count(point.of) }),
            t("history.bounds", bounds(point)),
            t(`runs.by.${point.by}`),
            <code key="sha">{point.prompts.slice(0, 10)}</code>,
            point.model,
            <Changes key="changes" point={point} />,
          ],
        }))}
      />
    </details>
  );
}
