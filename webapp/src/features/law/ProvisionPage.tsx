import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { publicConfigOptions, type LawProvision, type LawReference } from "@/lib/api";
import { day } from "@/lib/format";
import {
  numberName,
  pageOf,
  Provision,
  ProvisionFailed,
  ProvisionLoading,
  saidIn,
  stretchesOf,
  useProvision,
  useTitles,
} from "@/parts/law";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Section } from "@/lib/ui/section";
import { usePageTitle } from "@/lib/ui/title";

/** A section or rule as it was on the day in the address (`?on=`), or today. */
export function ProvisionPage() {
  const { t } = useTranslation("law");
  const { act = "", number = "" } = useParams();
  const config = useQuery(publicConfigOptions()).data;
  const { whole } = useTitles();
  const [params, setParams] = useSearchParams();
  const asked = params.get("on");
  const on = asked !== null && /^\d{4}-\d{2}-\d{2}$/.test(asked) ? asked : null;
  const { data, error, isPlaceholderData, refetch } = useProvision({ act, number }, on);
  const name = data === undefined ? numberName(number) : whole(data.act, data.number);
  usePageTitle(name, t("heading"), config?.product_name ?? "");
  const choose = (chosen: string | null) => {
    setParams(chosen === null ? {} : { on: chosen }, { preventScrollReset: true });
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="on-paper mx-auto w-full max-w-3xl px-4 py-5 sm:px-6">
        <Link
          to="/app/law"
          className="-ml-1 mb-3 inline-flex min-h-9 items-center gap-1 rounded text-sm text-ink-soft hover:text-ink print:hidden"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {t("heading")}
        </Link>
        <h1 className="font-serif text-2xl leading-8 font-semibold text-balance">{name}</h1>
        <div className={cn("transition-opacity", isPlaceholderData && "opacity-60")}>
          <AsOnPicker on={on} shown={data?.on ?? ""} onChoose={choose} />
          {data !== undefined ? (
            <>
              <Provision provision={data} level={2} onDay={choose} />
              <Parts provision={data} on={on} />
              <History provision={data} onDay={choose} />
              <References title={t("refers")} list={data.refers ?? []} on={on} />
              <References title={t("citedBy")} list={data.cited_by ?? []} on={on} />
              <Notes provision={data} />
            </>
          ) : error === null ? (
            <ProvisionLoading />
          ) : (
            <ProvisionFailed error={error} onAgain={() => void refetch()} />
          )}
        </div>
      </div>
    </div>
  );
}

type PickerProps = {
  /** The chosen day; null for today. */
  on: string | null;
  /** The day that is shown; "" until it is known. */
  shown: string;
  onChoose: (on: string | null) => void;
};

function AsOnPicker({ on, shown, onChoose }: PickerProps) {
  const { t } = useTranslation("law");
  const id = useId();
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 print:hidden">
      <label htmlFor={id} className="text-sm font-medium text-ink-soft">
        {t("asOn.label")}
      </label>
      <input
        id={id}
        type="date"
        value={on ?? shown}
        className="min-h-10 rounded-lg border border-rule-strong/60 bg-sheet px-3 tabular-nums"
        onChange={(event) => {
          // While a year is being typed, it may be in the first centuries.
          if (event.target.value >= "1900-01-01") onChoose(event.target.value);
        }}
      />
      {on !== null && (
        <Button
          look="quiet"
          size="small"
          onClick={() => {
            onChoose(null);
          }}
        >
          {t("days.today")}
        </Button>
      )}
    </div>
  );
}

/** The sub-sections and clauses that have their own digest. */
function Parts({ provision: { act, number, parts }, on }: { provision: LawProvision; on: string | null }) {
  const { t } = useTranslation("law");
  if (parts === null || parts.length === 0) return null;
  return (
    <Section title={t("parts")}>
      <ul className="mt-2 border-t border-rule">
        {parts.map((part) => (
          <li key={part.number} className="border-b border-rule py-2.5">
            <Link
              to={pageOf({ act: act.id, number: part.number }, on)}
              className="rounded font-medium text-accent underline-offset-4 hover:underline"
            >
              {numberName(part.number.startsWith(`${number}(`) ? part.number.slice(number.length) : part.number)}
              <span lang="en" className="font-serif font-normal text-ink">
                {" "}
                {term(part.heading)}
              </span>
            </Link>
            <p className="text-[0.9375rem]">{saidIn(part)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** How the provision changed over time: the digest of each period, and what amended the official text. */
function History({ provision, onDay }: { provision: LawProvision; onDay: (on: string) => void }) {
  const { t } = useTranslation("law");
  const { versions, history, on } = provision;
  const stretches = stretchesOf(provision);
  if (stretches.length === 0) return null;
  return (
    <Section title={t("history.title")}>
      <ol className="mt-3 border-l border-rule-strong">
        {stretches.map(({ from, until }) => {
          const now = from <= on && (until === null || until >= on);
          const digest = versions?.find((version) => version.from === from);
          const text = history?.find((version) => version.from === from);
          const amended = text?.by ?? [];
          return (
            <li key={from} className="relative pb-5 pl-5">
              <span
                aria-hidden
                className={cn(
                  "absolute top-1.5 -left-[0.3125rem] size-2.5 rounded-full border border-rule-strong",
                  now ? "bg-accent" : "bg-paper",
                )}
              />
              <p className="flex flex-wrap items-baseline gap-x-3 text-[0.9375rem]">
                <span className="font-medium tabular-nums">
                  {from === ""
                    ? t("history.begin")
                    : until === null
                      ? t("since", { day: day(from) })
                      : t("between", { from: day(from), until: day(until) })}
                </span>
                {now ? (
                  <span className="text-sm text-accent">{t("history.shown")}</span>
                ) : (
                  <Button
                    look="link"
                    size="bare"
                    className="text-sm"
                    aria-label={t("asOn.show", { day: day(from === "" ? (until ?? "") : from) })}
                    onClick={() => {
                      onDay(from === "" ? (until ?? "") : from);
                    }}
                  >
                    {t("history.show")}
                  </Button>
                )}
              </p>
              {digest !== undefined && <p className="mt-1 text-[0.9375rem]">{saidIn(digest)}</p>}
              {amended.map((by) => (
                <p key={by} lang="en" className="mt-1 text-sm text-ink-soft">
                  {by}
                </p>
              ))}
              {(text?.changed_between ?? []).length === 2 && (
                <p className="mt-1 text-sm text-due">
                  {t("text.between", {
                    from: day(text?.changed_between?.[0] ?? ""),
                    to: day(text?.changed_between?.[1] ?? ""),
                  })}
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

function References({ title, list, on }: { title: string; list: LawReference[]; on: string | null }) {
  const names = useTitles();
  if (list.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="mt-2 columns-1 gap-x-8 text-[0.9375rem] sm:columns-2">
        {list.map(({ act, number, heading }) => (
          <li key={`${act} ${number}`} className="break-inside-avoid py-1">
            <Link to={pageOf({ act, number }, on)} className="rounded underline-offset-4 hover:underline">
              <span className="text-accent">{names.inAct(act, number)}</span>
              {heading !== "" && (
                <span lang="en" className="block font-serif text-sm text-ink-soft">
                  {term(heading)}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The footnotes of the newest source, and differences between sources. */
function Notes({ provision: { notes, differ } }: { provision: LawProvision }) {
  const { t } = useTranslation("law");
  return (
    <>
      {(notes ?? []).length > 0 && (
        <details className="mt-10 border-y border-rule">
          <summary className="min-h-11 cursor-pointer rounded py-2.5 font-medium">{t("notes")}</summary>
          <ol lang="en" className="space-y-1 pb-3 text-sm">
            {notes?.map(({ number, text }) => (
              <li key={`${number} ${text}`} className="flex gap-2">
                <span className="w-6 shrink-0 text-right tabular-nums">{number}</span>
                {text}
              </li>
            ))}
          </ol>
        </details>
      )}
      {(differ ?? []).length > 0 && (
        <details className="border-b border-rule">
          <summary className="min-h-11 cursor-pointer rounded py-2.5 font-medium">{t("differ")}</summary>
          <ul lang="en" className="space-y-1 pb-3 text-sm">
            {differ?.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
