import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { exposureQueryKey, getExposure, workloadOptions, type YearExposure } from "@/lib/api";
import { money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Section } from "@/lib/ui/section";
import { Spinner } from "@/lib/ui/spinner";
import { Table } from "@/lib/ui/table";
import { Failed, Frame, Loading } from "./Frame";
import { yearsOf } from "./names";

const ink = "var(--color-ink-soft)";
const rupees = (paise: number) => money(Math.round(paise / 100));

/** How much work each member has, and how much is demanded of which client for which years. */
export function WorkloadPage() {
  const { t } = useTranslation("board");
  return (
    <Frame title={t("work.nav")}>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("work.title")}</h1>
      <People />
      <Exposure />
    </Frame>
  );
}

function People() {
  const { t } = useTranslation("board");
  const { data, error, refetch } = useQuery(workloadOptions());
  return (
    <Section title={t("work.people")} className="mt-6">
      {data !== undefined ? (
        <Table
          stacked
          label={t("work.people")}
          head={[
            t("work.who"),
            t("work.matters"),
            t("work.overdue"),
            t("work.undated"),
            t("work.week"),
            t("work.month"),
            t("work.hearings"),
            t("work.review"),
            t("work.demand"),
          ]}
          rows={(data.people ?? []).map((one) => ({
            key: one.member?.id ?? "",
            cells: [
              <Link
                key="who"
                to={`/app/practice/board?assignee=${one.member?.id ?? "nobody"}`}
                className="text-accent underline underline-offset-4"
              >
                {one.member?.name ?? t("work.nobody")}
              </Link>,
              one.matters,
              <span key="overdue" className={one.overdue > 0 ? "text-overdue" : ""}>
                {one.overdue}
              </span>,
              <span key="undated" className={one.undated > 0 ? "text-due" : ""}>
                {one.undated}
              </span>,
              one.week,
              one.month,
              one.hearings,
              one.to_review,
              rupees(one.demand_paise),
            ],
          }))}
        />
      ) : error === null ? (
        <Loading />
      ) : (
        <Failed error={error} onAgain={() => void refetch()} />
      )}
    </Section>
  );
}

const page = 50;

function Exposure() {
  const { t } = useTranslation("board");
  const years = useYears();
  const query = useInfiniteQuery({
    queryKey: exposureQueryKey(),
    queryFn: async ({ pageParam, signal }) =>
      (await getExposure({ query: { skip: pageParam, most: page }, signal, throwOnError: true })).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { clients }) => sum + (clients?.length ?? 0), 0);
      return shown < last.total && (last.clients?.length ?? 0) > 0 ? shown : undefined;
    },
  });
  const first = query.data?.pages[0];
  if (first === undefined) {
    return query.isError ? <Failed error={query.error} onAgain={() => void query.refetch()} /> : <Loading />;
  }
  const clients = query.data?.pages.flatMap((one) => one.clients ?? []) ?? [];
  return (
    <>
      <Section title={t("work.exposure")}>
        {clients.length === 0 ? (
          <p className="mt-2 text-ink-soft">{t("work.none")}</p>
        ) : (
          <Years years={first.years ?? []} />
        )}
      </Section>
      {clients.length > 0 && (
        <Section title={t("work.byClient")}>
          <Table
            stacked
            label={t("work.byClient")}
            head={[t("work.client"), t("work.matters"), t("work.demand"), t("work.years")]}
            rows={clients.map(({ client, matters, demand_paise: demand, years: of }) => ({
              key: client.id,
              cells: [
                <Link
                  key="client"
                  to={`/app/practice/matters?client=${client.id}`}
                  className="text-accent underline underline-offset-4"
                >
                  {client.name}
                </Link>,
                matters,
                rupees(demand),
                <ul key="years" className="text-sm">
                  {(of ?? []).map((one) => (
                    <li key={`${one.first_year ?? ""} ${one.last_year ?? ""}`} className="whitespace-nowrap">
                      <span className="text-ink-soft">{years(one)}</span> {rupees(one.demand_paise)}
                    </li>
                  ))}
                </ul>,
              ],
            }))}
          />
          {query.hasNextPage && (
            <Button
              size="small"
              className="mx-auto mt-3 flex"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchingNextPage && <Spinner />}
              {t("work.more")}
            </Button>
          )}
        </Section>
      )}
    </>
  );
}

/** Returns a function that formats financial years. */
function useYears() {
  const { t } = useTranslation("board");
  const { t: said } = useTranslation("practice");
  return (one: YearExposure) => yearsOf(one, said) ?? t("work.unknown");
}

/** The years as bars, and as a table that screen readers read instead. */
function Years({ years }: { years: YearExposure[] }) {
  const { t } = useTranslation("board");
  const name = useYears();
  const data = years.map((one) => ({ name: name(one), demand: one.demand_paise }));
  return (
    <>
      <div aria-hidden className="mt-2 h-64 text-sm">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart data={data} margin={{ top: 8, right: 4, bottom: 0, left: 4 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--color-rule)" />
            <XAxis dataKey="name" stroke={ink} tick={{ fill: ink }} minTickGap={8} />
            <YAxis width={92} tickFormatter={(paise: number) => short(paise)} stroke={ink} tick={{ fill: ink }} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: "var(--color-accent-soft)" }}
              contentStyle={{ background: "var(--color-sheet)", borderColor: "var(--color-rule)" }}
              formatter={(paise) => [rupees(Number(paise)), t("work.demand")]}
            />
            <Bar dataKey="demand" fill="var(--color-accent)" isAnimationActive={false} maxBarSize={64} />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <details className="mt-2">
        <summary className="cursor-pointer text-sm text-accent">{t("work.show")}</summary>
        <Table
          label={t("work.byYear")}
          head={[t("work.years"), t("work.matters"), t("work.demand")]}
          rows={years.map((one) => ({
            key: `${one.first_year ?? ""} ${one.last_year ?? ""}`,
            cells: [name(one), one.matters, rupees(one.demand_paise)],
          }))}
        />
      </details>
    </>
  );
}

const short = (paise: number): string =>
  new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR", notation: "compact" }).format(paise / 100);
