import { Scale } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import type { Point } from "@/lib/api";
import { money } from "@/lib/format";
import { spoken } from "@/lib/i18n";
import { citation } from "@/lib/message";
import { cn } from "@/lib/ui/cn";
import { Fold, PlaceLink, Section } from "./parts";

const looks = { applies: "text-safe", may_apply: "text-due", does_not_apply: "text-ink-soft" };

// Later points rarely decide anything, so they are folded.
const first = 5;

/** The points that may decide the notice, strongest first: defences proved by its text, or by one answer. */
export function Points({ points, total }: { points: Point[]; total: number | null }) {
  const { t } = useTranslation("notices");
  const { id = "" } = useParams();
  const held = points.filter(({ verdict }) => verdict !== "does_not_apply");
  const not = points.filter(({ verdict }) => verdict === "does_not_apply");
  if (points.length === 0) return null;
  return (
    <Section title={t("points.title")} icon={<Scale aria-hidden />}>
      {held.length === 0 && <p className="text-[0.9375rem]">{t("points.none")}</p>}
      <ol className="space-y-4">
        {held.slice(0, first).map((point) => (
          <li key={point.id}>
            <One point={point} total={total} />
          </li>
        ))}
      </ol>
      {held.length > first && (
        <Fold summary={t("points.more", { count: held.length - first })}>
          <ol className="space-y-4">
            {held.slice(first).map((point) => (
              <li key={point.id}>
                <One point={point} total={total} />
              </li>
            ))}
          </ol>
        </Fold>
      )}
      {not.length > 0 && (
        <Fold summary={t("points.not", { count: not.length })}>
          <ul className="space-y-3">
            {not.map((point) => (
              <li key={point.id}>
                <p className="font-medium">{wordsOf(point).title}</p>
                <p className="text-ink-soft">{wordsOf(point).why}</p>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <p className="mt-3 text-[0.9375rem] print:hidden">
        <Link to={`/app/notices/${id}/choices`} className="text-accent underline underline-offset-2">
          {t("choices.title")}
        </Link>
      </p>
    </Section>
  );
}

export const wordsOf = (point: Point) => (spoken() === "hi" ? point.hi : point.en);

/** Returns a function that says in a sentence what a point takes away; null if no amount is printed. */
export function useTaken() {
  const { t } = useTranslation("notices");
  return ({ amount, remains, provision, verdict }: Point, total: number | null) => {
    if (amount === null) return null;
    const words = { amount: money(amount), provision: citation(provision), total: money(total ?? 0) };
    const sure = verdict === "applies";
    if (remains === null || total === null) return t(sure ? "points.falls" : "points.wouldFall", words);
    return t(sure ? "points.fallsOf" : "points.wouldFallOf", { ...words, remains: money(remains) });
  };
}

function One({ point, total }: { point: Point; total: number | null }) {
  const { t } = useTranslation("notices");
  const taken = useTaken()(point, total);
  const words = wordsOf(point);
  return (
    <div className="space-y-1 text-[0.9375rem]">
      <p className="font-medium">
        {words.title} <span className={cn("font-normal", looks[point.verdict])}>{t(`points.${point.verdict}`)}</span>
      </p>
      {taken === null ? (
        <p className="text-sm text-ink-soft">{citation(point.provision)}</p>
      ) : (
        <p className="font-medium tabular-nums">{taken}</p>
      )}
      <p>{words.explanation}</p>
      {words.ask !== "" && (
        <p className="border-l-2 border-due pl-3">
          <span className="font-medium">{t("points.ask")}</span> {words.ask}
        </p>
      )}
      <ul className="text-sm text-ink-soft">
        {(point.because ?? []).map(({ page, quote, file, rows = 0 }) =>
          file === undefined ? (
            <li key={`${String(page)} ${quote}`}>
              <q className="break-words">{quote}</q> <PlaceLink page={page} quote={quote} />
            </li>
          ) : (
            <li key={file} className="break-words">
              {t("points.file", { file, kind: quote, count: rows })}
            </li>
          ),
        )}
      </ul>
      {point.provisional && <p className="text-sm text-ink-soft">{t("points.provisional")}</p>}
    </div>
  );
}
