import { CalendarDays } from "lucide-react";
import { useTranslation } from "react-i18next";
import { day, daysUntil, money } from "@/lib/format";
import { Basis } from "@/parts/law";
import { citation } from "@/lib/message";
import { cn } from "@/lib/ui/cn";
import { DaysLeft } from "@/parts/deadline";
import { Doubts, Fold, Origin, PlaceLink, Section, useShared } from "./parts";
import type { Deadline, Reckoning } from "./reckoning";

type Event = { date: string; what: string; deadline: Deadline | null };

/** Past and future events, by date. */
export function Timeline({ reckoning }: { reckoning: Reckoning }) {
  const { t } = useTranslation("notices");
  const { facts } = useShared();
  const past: Event[] = [];
  if (facts.issueDate !== null) past.push({ date: facts.issueDate, what: t("timeline.issued"), deadline: null });
  if (facts.servedOn !== null) past.push({ date: facts.servedOn, what: t("timeline.served"), deadline: null });
  const events = [
    ...past,
    ...reckoning.deadlines.flatMap((deadline): Event[] =>
      deadline.date === null ? [] : [{ date: deadline.date, what: deadline.what, deadline }],
    ),
  ].sort((a, b) => a.date.localeCompare(b.date));
  const undated = reckoning.deadlines.filter(({ date, code }) => date === null && code !== "reply");
  if (events.length === 0 && undated.length === 0) return null;
  return (
    <Section title={t("timeline.title")} icon={<CalendarDays aria-hidden />}>
      <ol>
        {events.map((event) => (
          <li key={`${event.date} ${event.what}`} className={cn((daysUntil(event.date) ?? 0) < 0 && "text-ink-soft")}>
            {event.deadline === null ? (
              <p className="border-b border-rule py-2.5 pl-6">
                <span className="block text-sm tabular-nums">{day(event.date)}</span>
                {event.what}
              </p>
            ) : (
              <Dated deadline={event.deadline} date={event.date} />
            )}
          </li>
        ))}
        {undated.map((deadline) => (
          <li key={deadline.code}>
            <Fold
              summary={
                <>
                  <span className="block text-sm text-ink-soft">{t("timeline.undated")}</span>
                  {deadline.what}
                </>
              }
            >
              <More deadline={deadline} />
            </Fold>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Dated({ deadline, date }: { deadline: Deadline; date: string }) {
  return (
    <Fold
      summary={
        <>
          <span className="flex flex-wrap items-center justify-between gap-x-2 text-sm tabular-nums">
            {day(date)}
            {(daysUntil(date) ?? -1) >= 0 && <DaysLeft date={date} />}
          </span>
          <span className="block">{deadline.what}</span>
        </>
      }
    >
      <More deadline={deadline} />
    </Fold>
  );
}

function More({ deadline }: { deadline: Deadline }) {
  const { t } = useTranslation("notices");
  return (
    <div className="space-y-1">
      {deadline.basis !== "" && <p>{t("timeline.basis", { basis: deadline.basis })}</p>}
      {deadline.paise !== null && <p>{t("timeline.pay", { amount: money(deadline.paise / 100) })}</p>}
      {deadline.provision !== "" && (
        <p className="text-sm text-ink-soft">
          <Basis basis={deadline.provision} shown={citation(deadline.provision)} />
        </p>
      )}
      {deadline.certainty !== "sourced" && (
        <p className="text-sm text-due">{t(`brief.certainty.${deadline.certainty}`)}</p>
      )}
      {deadline.holiday !== null && (
        <p className="text-sm text-due">
          {t("brief.holiday", {
            ...deadline.holiday,
            name: deadline.holiday.name,
            note: deadline.holiday.note,
            open: day(deadline.holiday.open),
          })}
        </p>
      )}
      <Doubts doubts={deadline.uncertain} />
      {deadline.followsService && <p className="text-sm text-ink-soft">{t("timeline.followsService")}</p>}
      {deadline.ifMissed !== "" && (
        <p className="text-sm text-ink-soft">{t("brief.ifMissed", { what: deadline.ifMissed })}</p>
      )}
      <p className="text-sm">
        <PlaceLink page={deadline.page} quote={null} />
      </p>
      {deadline.code === "hearing" && <Origin field="hearing" />}
    </div>
  );
}
