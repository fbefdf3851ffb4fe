import { CalendarClock, Flag, Gavel } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EvidenceLink } from "@/lib/document";
import { day, daysUntil, money } from "@/lib/format";
import { cn } from "@/lib/ui/cn";
import type { DemandRow, Facts } from "./facts";

type Props = { facts: Facts };

/** What the program is sure of: computed from the notice's text, not written by a model. */
export function FactsCard({ facts }: Props) {
  const { t } = useTranslation("notices");
  const { officer } = facts;
  const from = [officer.name, officer.designation, officer.jurisdiction].filter((part) => part !== null);
  return (
    <div className="space-y-6">
      {(facts.form !== null || facts.reference !== null) && (
        <div>
          {facts.form !== null && <p className="font-serif text-2xl leading-8 font-semibold">{t("facts.form", { form: facts.form })}</p>}
          {facts.reference !== null && <p className="tabular-nums">{facts.reference}</p>}
          {facts.issueDate !== null && <p className="text-sm text-ink-soft">{t("facts.issued", { date: day(facts.issueDate) })}</p>}
        </div>
      )}
      <ReplyDate facts={facts} />
      {facts.hearing?.date != null && (
        <Fact icon={<Gavel aria-hidden />} label={t("facts.hearing")}>
          {facts.hearing.time === null
            ? day(facts.hearing.date)
            : t("facts.dateTime", { date: day(facts.hearing.date), time: facts.hearing.time })}
        </Fact>
      )}
      {facts.demand !== null && <Demand demand={facts.demand} />}
      {facts.flags.length > 0 && (
        <div>
          <Label icon={<Flag aria-hidden />}>{t("facts.flags")}</Label>
          <ul className="mt-1.5 space-y-2 text-[0.9375rem]">
            {facts.flags.map((flag, index) => (
              <li key={index} className="border-l-2 border-due pl-3">
                {flag.message} <PageLink page={flag.page} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <dl className="space-y-3 text-[0.9375rem]">
        {facts.addressee !== null && (
          <Pair label={t("facts.to")}>
            {facts.addressee}
            {facts.gstin !== null && <span className="block tabular-nums">{facts.gstin}</span>}
            {facts.gstinValid === false && <span className="block text-sm text-due">{t("facts.gstinWrong")}</span>}
          </Pair>
        )}
        {from.length > 0 && (
          <Pair label={t("facts.from")}>
            {from.map((part) => (
              <span key={part} className="block">
                {part}
              </span>
            ))}
          </Pair>
        )}
      </dl>
      <p className="text-sm text-ink-soft">{t("facts.how")}</p>
    </div>
  );
}

function ReplyDate({ facts }: Props) {
  const { t } = useTranslation("notices");
  const { date, source, basis, page, quote } = facts.replyDue;
  const icon = <CalendarClock aria-hidden />;
  if (date === null) {
    return (
      <Fact icon={icon} label={t("facts.replyBy")}>
        <span className="font-normal text-due">{t("facts.replyUnknown")}</span>
      </Fact>
    );
  }
  return (
    <Fact icon={icon} label={t("facts.replyBy")}>
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-serif text-xl font-semibold">{day(date)}</span>
        <DaysLeft date={date} />
      </span>
      <span className="mt-1 block text-sm font-normal text-ink-soft">
        {source === "printed" && t("facts.replyPrinted")}
        {source === "computed" && (basis === null ? t("facts.replyComputed") : t("facts.replyComputedBasis", { basis }))}{" "}
        <PageLink page={page} quote={quote} />
      </span>
    </Fact>
  );
}

// From a week before, a reply date is soon.
const soon = 7;

/** How far away a date is, in the colour of its risk. */
export function DaysLeft({ date }: { date: string }) {
  const { t } = useTranslation("notices");
  const days = daysUntil(date);
  if (days === null) return null;
  const look = days < 0 ? "bg-overdue-soft text-overdue" : days <= soon ? "bg-due-soft text-due" : "bg-safe-soft text-safe";
  const words = days < 0 ? t("facts.passed", { count: -days }) : days === 0 ? t("facts.today") : t("facts.left", { count: days });
  return <span className={cn("inline-block rounded-full px-2.5 py-0.5 text-sm font-medium", look)}>{words}</span>;
}

const parts = ["tax", "interest", "penalty", "fee", "other"] as const satisfies (keyof DemandRow)[];

function Demand({ demand }: { demand: NonNullable<Facts["demand"]> }) {
  const { t } = useTranslation("notices");
  return (
    <div>
      <table className="w-full text-[0.9375rem] tabular-nums">
        <caption className="text-left">
          <Label>{t("facts.demand")}</Label>
        </caption>
        <tbody>
          {demand.rows.map((row, index) => {
            const sum = parts.reduce((total, part) => total + row[part], 0);
            return (
              <tr key={index} className="border-b border-rule align-top">
                <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                  {row.head}
                  <span className="block text-sm text-ink-soft">
                    {parts
                      .filter((part) => row[part] !== 0)
                      .map((part) => t(`facts.part.${part}`, { amount: money(row[part]) }))
                      .join(" · ")}
                  </span>
                </th>
                <td className="py-1.5 text-right whitespace-nowrap">{money(sum)}</td>
              </tr>
            );
          })}
          {demand.total !== null && (
            <tr>
              <th scope="row" className="pt-2 text-left font-semibold">
                {t("facts.total")}
              </th>
              <td className="pt-2 text-right font-semibold whitespace-nowrap">{money(demand.total)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function PageLink({ page, quote = null }: { page: number | null; quote?: string | null }) {
  const { t } = useTranslation("notices");
  if (page === null) return null;
  return <EvidenceLink evidence={{ page, quote }}>{t("facts.page", { page })}</EvidenceLink>;
}

function Fact({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div>
      <Label icon={icon}>{label}</Label>
      <div className="mt-0.5 font-medium">{children}</div>
    </div>
  );
}

function Label({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5 text-sm font-medium text-ink-soft [&_svg]:size-4">
      {icon}
      {children}
    </span>
  );
}

function Pair({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm font-medium text-ink-soft">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
