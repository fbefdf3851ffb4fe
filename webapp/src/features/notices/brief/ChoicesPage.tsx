import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { briefOptions, sentenceOf, type Brief } from "@/lib/api";
import { day, daysUntil, money } from "@/lib/format";
import { citation } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { namesIn, printAs } from "@/lib/ui/paper";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";
import { Days } from "./Days";
import { readFacts, type Facts } from "./facts";
import { useTaken, wordsOf } from "./Points";
import { readReckoning, type Deadline, type Reckoning } from "./reckoning";

/** What a person can do about a notice, the cost of each choice, and by when; only what follows from the facts. */
export function ChoicesPage() {
  const { t } = useTranslation("notices");
  const { id = "" } = useParams();
  const { data, error } = useQuery(briefOptions(id));
  usePageTitle(t("choices.title"));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6 lg:px-8">
      <div className="mx-auto max-w-2xl">
        <div className="mb-4 flex flex-wrap justify-between gap-2 print:hidden">
          <Button look="quiet" size="small" className="-ml-2 px-2" asChild>
            <Link to={`/app/notices/${id}`}>
              <ChevronLeft aria-hidden />
              {t("choices.back")}
            </Link>
          </Button>
          <Button
            size="small"
            onClick={() => {
              printAs(t("choices.title"), ...namesIn(data?.facts));
            }}
          >
            <Printer aria-hidden />
            {t("brief.print")}
          </Button>
        </div>
        {data === undefined &&
          (error === null ? <Skeleton className="h-64" /> : <p role="alert">{sentenceOf(error, t("brief.failed"))}</p>)}
        {data !== undefined && <Choices brief={data} />}
      </div>
    </div>
  );
}

function Choices({ brief }: { brief: Brief }) {
  const { t } = useTranslation("notices");
  const facts = readFacts(brief.facts);
  const reckoning = readReckoning(brief.reckoning);
  const of = (code: string) => reckoning.deadlines.find((d) => d.code === code);
  const silence = reckoning.deadlines.filter(({ ifMissed, code }) => ifMissed !== "" && code !== "order_due");
  // A deadline that binds only the officer gives the person no time.
  const own = reckoning.deadlines.filter(({ date, code }) => date !== null && code !== "order_due");
  const late = own.length > 0 && own.every(({ date }) => over(date));
  return (
    <article className="on-paper space-y-8">
      <header>
        <h1 className="font-serif text-2xl font-semibold">{t("choices.title")}</h1>
        <p className="text-ink-soft">
          {[facts?.form, facts?.reference].filter((part) => part != null && part !== "").join(" · ")}
        </p>
        <p className="mt-2">{t(late ? "choices.late" : "choices.calm")}</p>
      </header>
      <Part title={t("choices.days")}>
        <Days deadlines={reckoning.deadlines} />
      </Part>
      <Part title={t("choices.pay")}>
        <Pay reckoning={reckoning} facts={facts} />
      </Part>
      <Part title={t("choices.contest")}>
        <Contest reckoning={reckoning} />
      </Part>
      <Part title={t("choices.both")}>
        <Both brief={brief} total={facts?.demand?.total ?? null} pay={of("pay_and_close") ?? of("pay_reduced")} />
      </Part>
      <Part title={t("choices.silence")}>
        {silence.length === 0 && <p>{t("choices.silenceUnknown")}</p>}
        <ul className="list-disc space-y-1 pl-5">
          {silence.map((d) => (
            <li key={d.code + d.what}>
              {d.date === null ? "" : `${day(d.date)}: `}
              {d.ifMissed}
            </li>
          ))}
        </ul>
      </Part>
      <p className="text-sm text-ink-soft">{t("choices.review")}</p>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="break-inside-avoid space-y-2">
      <h2 className="font-serif text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}

const over = (date: string | null): boolean => {
  const left = date === null ? null : daysUntil(date);
  return left !== null && left < 0;
};

function Pay({ reckoning, facts }: { reckoning: Reckoning; facts: Facts | null }) {
  const { t } = useTranslation("notices");
  const days = reckoning.deadlines.filter(({ code }) => code === "pay_and_close" || code === "pay_reduced");
  const decided = reckoning.deadlines.some(({ code }) => code === "appeal"); // the earlier, cheaper stages are over
  const sheets = decided && days.length === 0 ? [] : reckoning.money;
  const stages = (sheets.find(({ code }) => code === "penalty")?.rows ?? []).filter(
    ({ provision, paise }) => provision !== "" && paise !== null,
  );
  const perDay = reckoning.money.flatMap(({ rows }) => rows).find(({ code }) => code === "money.label.one_day");
  return (
    <>
      {days.length === 0 && <p>{t(facts?.demand == null ? "choices.nothingDemanded" : "choices.noWindow")}</p>}
      {days.map((d) => (
        <p key={d.code + d.what}>
          {d.date !== null && over(d.date)
            ? t("choices.payOver", { date: day(d.date) })
            : d.paise === null || d.date === null
              ? d.what
              : t("choices.payBy", { amount: money(d.paise / 100), date: day(d.date) })}{" "}
          <span className="text-sm text-ink-soft">{citation(d.provision)}</span>
        </p>
      ))}
      {days.length > 0 && <p>{t("choices.payMeans")}</p>}
      {perDay?.paise != null && <p>{t("choices.perDay", { amount: money(perDay.paise / 100) })}</p>}
      {stages.length > 0 && (
        <table className="w-full text-[0.9375rem]">
          <caption className="text-left text-sm text-ink-soft">{t("choices.penalty")}</caption>
          <tbody>
            {stages.map((row, at) => (
              <tr key={`${row.label} ${row.head} ${String(at)}`} className="border-b border-rule">
                <td className="py-1.5 pr-3">
                  {row.label} {row.head} <span className="text-sm text-ink-soft">{citation(row.provision)}</span>
                </td>
                <td className="py-1.5 text-right tabular-nums">{money((row.paise ?? 0) / 100)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

// The ways to contest, in their order, and the table with the cost of each.
const stages = [
  { code: "reply", sheet: null },
  { code: "comply", sheet: null },
  { code: "hearing", sheet: null },
  { code: "order_due", sheet: null },
  { code: "appeal", sheet: "first_appeal" },
  { code: "appeal_condonable", sheet: null },
  { code: "tribunal", sheet: "tribunal" },
] as const;

function Contest({ reckoning }: { reckoning: Reckoning }) {
  const { t } = useTranslation("notices");
  return (
    <ol className="list-decimal space-y-2 pl-5">
      {stages.map(({ code, sheet }) => {
        const d = reckoning.deadlines.find((other) => other.code === code);
        const cost = sheet === null ? undefined : reckoning.money.find((other) => other.code === sheet);
        if (d === undefined && cost === undefined) return null;
        return (
          <li key={code}>
            <span className="font-medium">{t(`choices.stage.${code}`)}</span> {when(d, t)}{" "}
            {cost?.paise != null
              ? t("choices.deposit", { amount: money(cost.paise / 100) })
              : sheet === null && t(`choices.cost.${code}`)}
          </li>
        );
      })}
    </ol>
  );
}

type When = "choices.by" | "choices.wasBy" | "choices.on" | "choices.wasOn";

function when(d: Deadline | undefined, t: (key: When, values: { date: string }) => string) {
  if (d?.date == null) return "";
  const on = d.code === "hearing"; // a hearing is on that day, not by that day
  const key = over(d.date) ? (on ? "choices.wasOn" : "choices.wasBy") : on ? "choices.on" : "choices.by";
  return t(key, { date: day(d.date) });
}

function Both({ brief, total, pay }: { brief: Brief; total: number | null; pay: Deadline | undefined }) {
  const { t } = useTranslation("notices");
  const taken = useTaken();
  const held = (brief.points ?? []).filter(({ verdict }) => verdict !== "does_not_apply");
  const falls = held.filter(({ amount }) => amount !== null);
  const points = falls.length > 0 ? falls : held; // a paper without a demand of money is decided by other points
  return (
    <>
      {falls.length > 0 && <p>{t(pay === undefined ? "choices.mixLater" : "choices.mix")}</p>}
      {falls.length === 0 && <p>{t(points.length > 0 ? "choices.helps" : "choices.nothingHelps")}</p>}
      <ul className="list-disc space-y-1 pl-5">
        {points.slice(0, 5).map((point) => (
          <li key={point.id}>
            {wordsOf(point).title}: {point.amount === null ? wordsOf(point).explanation : taken(point, total)}
          </li>
        ))}
      </ul>
    </>
  );
}
