import { CalendarClock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { day } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { DaysLeft } from "@/parts/deadline";
import { Doubts, Origin, Section, useShared } from "./parts";
import type { Reckoning } from "./reckoning";

/** The last day to reply: how far away it is, how it was found, and what may change it. */
export function ReplyBy({ reckoning, answered }: { reckoning: Reckoning | null; answered: boolean }) {
  const { t } = useTranslation("notices");
  const { facts, correct } = useShared();
  const { date, source, basis } = facts.replyDue;
  // The reckoning's row about it has more detail than the facts.
  const reply = reckoning?.deadlines.find(({ code }) => code === "reply");
  const last = reply?.date ?? date;
  const open = facts.watch !== null && !facts.watch.settled ? facts.watch : null;
  const given = "reply_due" in facts.corrected;
  return (
    <Section title={reply === undefined ? t("facts.replyBy") : reply.what} icon={<CalendarClock aria-hidden />}>
      {last === null ? (
        <p className="text-due">
          {reply !== undefined && reply.basis !== ""
            ? t("facts.replyUnknownBasis", { basis: reply.basis })
            : t("facts.replyUnknown")}
        </p>
      ) : (
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-serif text-xl font-semibold">{day(last)}</span>
          {!answered && <DaysLeft date={last} />}
        </p>
      )}
      {open !== null && (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span>
            {t(open.what === "hearing" ? "settle.watchedHearing" : "settle.watched", { date: day(open.date) })}
          </span>
          {!answered && <DaysLeft date={open.date} />}
        </p>
      )}
      {last !== null && !given && (
        <p className="mt-1 text-sm text-ink-soft">
          {source === "printed" && t("facts.replyPrinted")}
          {source === "computed" &&
            (reply?.basis
              ? t("facts.replyComputedBasis", { basis: reply.basis })
              : basis === null
                ? t("facts.replyComputed")
                : t("facts.replyComputedBasis", { basis: basis }))}
        </p>
      )}
      <Origin field="reply_due" />
      {reply?.holiday != null && (
        <p className="mt-1 text-sm text-due">
          {t("brief.holiday", {
            ...reply.holiday,
            name: reply.holiday.name,
            note: reply.holiday.note,
            open: day(reply.holiday.open),
          })}
        </p>
      )}
      <Doubts doubts={reply?.uncertain ?? []} />
      {reply !== undefined && reply.ifMissed !== "" && !answered && (
        <p className="mt-1 text-sm text-ink-soft">{t("brief.ifMissed", { what: reply.ifMissed })}</p>
      )}
      {facts.servedOn === null ? (
        correct !== null && (
          <Button
            look="link"
            size="bare"
            className="mt-1 text-sm print:hidden"
            onClick={() => {
              correct("served_on");
            }}
          >
            {t("brief.giveService")}
          </Button>
        )
      ) : (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm">
          {t("brief.served", { date: day(facts.servedOn) })}
          <Origin field="served_on" />
        </p>
      )}
    </Section>
  );
}
