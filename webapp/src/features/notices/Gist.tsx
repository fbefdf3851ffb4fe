import { useTranslation } from "react-i18next";
import { day, daysUntil, money } from "@/lib/format";
import { DaysLeft } from "@/parts/deadline";
import { readReckoning, sumOf, useBrief, type Facts } from "./brief";

/**
 * The gist of a notice: what it is, how much is claimed, and by when to act. Each line says if it could not be read.
 */
export function Gist({ id, facts }: { id: string; facts: Facts }) {
  const { t } = useTranslation("notices");
  const { brief } = useBrief(id);
  const act =
    brief === undefined
      ? undefined
      : readReckoning(brief.reckoning).deadlines.find(({ code }) => code === "reply" || code === "appeal")?.what;
  return (
    <ul className="min-w-0 space-y-0.5">
      <li className="short:hidden">
        {facts.form === null ? (
          <span className="text-due">{t("gist.what")}</span>
        ) : act === undefined ? (
          t("facts.form", { form: facts.form })
        ) : (
          t("gist.formAct", { form: facts.form, act })
        )}
      </li>
      <li className="tabular-nums short:hidden">
        <HowMuch facts={facts} />
      </li>
      <li>
        <ByWhen facts={facts} />
      </li>
    </ul>
  );
}

function HowMuch({ facts: { demand, candidates, attention } }: { facts: Facts }) {
  const { t } = useTranslation("notices");
  if (demand !== null) {
    const total = demand.total ?? demand.rows.reduce((sum, row) => sum + sumOf(row), 0);
    return <>{t("gist.demand", { amount: money(total) })}</>;
  }
  const likely = candidates.demand?.[0];
  if (likely !== undefined)
    return <span className="text-due">{t("gist.demandOpen", { amount: money(Number(likely.value)) })}</span>;
  const unread = attention.find(({ code }) => code === "amount_unread");
  if (unread === undefined) return <>{t("gist.noDemand")}</>;
  return <span className="text-due">{t("gist.unread", { page: unread.page ?? 1 })}</span>;
}

type ByWhenProps = {
  facts: Facts;
  /** True if what is due is certainly a reply. */
  reply?: boolean;
};

/** The date by which to act, with a mark if a person must still confirm it, and an upcoming hearing. */
export function ByWhen({ facts: { replyDue, watch, hearing }, reply = false }: ByWhenProps) {
  const { t } = useTranslation("notices");
  const open = replyDue.date === null && watch !== null && !watch.settled ? watch : null;
  const heard = hearing !== null && hearing.date !== open?.date && (daysUntil(hearing.date) ?? -1) >= 0;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      {replyDue.date !== null ? (
        <>
          {t(reply ? "facts.replyByDate" : "facts.byDate", { date: day(replyDue.date) })}
          <DaysLeft date={replyDue.date} />
        </>
      ) : open !== null ? (
        <>
          <span className="text-due">
            {t(open.what === "hearing" ? "gist.hearingOpen" : "gist.dateOpen", { date: day(open.date) })}
          </span>
          <DaysLeft date={open.date} />
        </>
      ) : (
        <span className="text-due">{t("facts.replyUnknownShort")}</span>
      )}
      {heard && <span>{t("gist.hearing", { date: day(hearing.date) })}</span>}
    </span>
  );
}
