import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { boardQueryKey, getBoard, meOptions, sentenceOf, type BoardDay, type Named } from "@/lib/api";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Spinner } from "@/lib/ui/spinner";
import { Table } from "@/lib/ui/table";
import { useWorks } from "@/lib/works";
import { DaysLeft } from "@/parts/deadline";
import { Filters } from "./Filters";
import { Failed, Frame, Loading } from "./Frame";
import { matterName } from "./names";
import { useFilters, type Narrowed } from "./useFilters";
import { useTaskActs } from "./useTasks";
import { Views } from "./Views";

const page = 100;

/** Loads what is due in the firm in the next 30 days, page by page. */
function useBoard(narrowed: Narrowed, hearings: boolean, tasks: boolean) {
  const query = useInfiniteQuery({
    queryKey: [...boardQueryKey(), narrowed, hearings, tasks],
    queryFn: async ({ pageParam, signal }) =>
      (
        await getBoard({
          query: { ...narrowed, hearings, tasks, skip: pageParam, most: page },
          signal,
          throwOnError: true,
        })
      ).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { days }) => sum + (days?.length ?? 0), 0);
      return shown < last.overdue + last.undated + last.coming + last.dateless && (last.days?.length ?? 0) > 0
        ? shown
        : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages ?? [];
  return { query, days: pages.flatMap(({ days }) => days ?? []), first: pages[0] };
}

/** What is due in the next 30 days, with tasks: overdue dates first, then those to confirm, then the rest by date. */
export function BoardPage() {
  const { t } = useTranslation("board");
  const filters = useFilters();
  const hearings = filters.of("hearings") !== "";
  const tasks = filters.of("tasks") !== "" && !hearings;
  const { query, days, first } = useBoard(filters.narrowed, hearings, tasks);
  const only = (name: "hearings" | "tasks", label: string, on: boolean) => (
    <label className="col-span-2 flex min-h-10 items-center gap-2 text-[0.9375rem]">
      <input
        type="checkbox"
        className="size-4"
        checked={on}
        onChange={(event) => {
          filters.change({ hearings: "", tasks: "", [name]: event.target.checked ? "1" : "" });
        }}
      />
      {label}
    </label>
  );
  return (
    <Frame title={t("nav")}>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t(hearings ? "causes" : "title")}</h1>
      {first !== undefined && (
        <p role="status" className="mt-1 flex flex-wrap gap-x-3 text-[0.9375rem] text-ink-soft">
          {first.overdue > 0 && <span className="text-overdue">{t("counts.overdue", { count: first.overdue })}</span>}
          {first.undated > 0 && <span className="text-due">{t("counts.undated", { count: first.undated })}</span>}
          <span>{t("counts.coming", { count: first.coming })}</span>
          <span>{t("counts.hearings", { count: first.hearings })}</span>
          <span>{t("counts.tasks", { count: first.tasks })}</span>
        </p>
      )}
      {first !== undefined && first.forgotten > 0 && (
        <Forgotten clients={first.unlooked ?? []} count={first.forgotten} />
      )}
      <Whose filters={filters} />
      <Filters filters={filters}>
        {only("hearings", t("cause.only"), hearings)}
        {only("tasks", t("tasks.only"), tasks)}
      </Filters>
      <Views page="board" address={filters.address} />
      {first === undefined ? (
        query.isError ? (
          <Failed error={query.error} onAgain={() => void query.refetch()} />
        ) : (
          <Loading />
        )
      ) : days.length === 0 ? (
        <p className="mt-6 max-w-prose text-ink-soft">
          {filters.count > 0
            ? t("none")
            : hearings
              ? t("cause.none", { day: day(first.until) })
              : tasks
                ? t("tasks.none")
                : t("empty", { day: day(first.until) })}
        </p>
      ) : (
        <div className={cn("mt-5", query.isPlaceholderData && "opacity-60")}>
          {hearings ? <Causes days={days} /> : <Days days={days} />}
          {query.hasNextPage && (
            <Button
              size="small"
              className="mx-auto mt-3 flex"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchingNextPage && <Spinner />}
              {t("more")}
            </Button>
          )}
        </div>
      )}
    </Frame>
  );
}

/** The clients whose portal nobody has checked for two weeks. */
function Forgotten({ clients, count }: { clients: Named[]; count: number }) {
  const { t } = useTranslation("practice");
  const shown = clients.slice(0, 5);
  return (
    <p className="mt-2 text-[0.9375rem]">
      <span className="text-overdue">{t("portal.forgotten", { count })}</span>{" "}
      {shown.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to={`/app/practice/clients/${id}`} className="text-accent underline underline-offset-4">
            {name}
          </Link>
        </span>
      ))}
      {count > shown.length && ` ${t("portal.others", { count: count - shown.length })}`}
    </p>
  );
}

/** Switches between the board of the current member and that of the whole firm. */
function Whose({ filters }: { filters: ReturnType<typeof useFilters> }) {
  const { t } = useTranslation("board");
  const me = useQuery(meOptions()).data?.acting?.member;
  if (me === undefined) return null;
  const mine = filters.of("assignee") === me;
  return (
    <div role="group" aria-label={t("whose.label")} className="mt-4 flex flex-wrap gap-1">
      {[true, false].map((own) => (
        <Button
          key={String(own)}
          size="small"
          look="quiet"
          aria-pressed={own ? mine : filters.of("assignee") === ""}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => {
            filters.set("assignee", own ? me : "");
          }}
        >
          {t(own ? "whose.mine" : "whose.all")}
        </Button>
      ))}
    </div>
  );
}

const keyOf = ({ task, paper, listed, matter, what, day: on }: BoardDay) =>
  `${task ?? paper ?? listed ?? matter} ${what} ${on ?? ""}`;

/** Reports whether a key belongs to a group without a date. */
const named = (key: string): key is "overdue" | "undated" | "dateless" =>
  key === "overdue" || key === "undated" || key === "dateless";

/** The dates under headings: overdue, to confirm, and each future day. */
function Days({ days }: { days: BoardDay[] }) {
  const { t } = useTranslation("board");
  const groups: { key: string; days: BoardDay[] }[] = [];
  for (const one of days) {
    const key = one.part === "coming" ? (one.day ?? "") : one.part;
    const last = groups.at(-1);
    if (last?.key === key) last.days.push(one);
    else groups.push({ key, days: [one] });
  }
  return groups.map(({ key, days: of }) => (
    <section key={key} aria-label={named(key) ? t(key) : day(key)} className="mt-5">
      <h2 className="flex flex-wrap items-center gap-2 border-b border-rule pb-1 text-[0.9375rem] font-medium">
        {named(key) ? (
          <span className={{ overdue: "text-overdue", undated: "text-due", dateless: "" }[key]}>{t(key)}</span>
        ) : (
          <>
            {day(key)} <DaysLeft date={key} />
          </>
        )}
      </h2>
      <ul>
        {of.map((one) => (
          <Row key={keyOf(one)} one={one} />
        ))}
      </ul>
    </section>
  ));
}

/** Drawn once, so that more rows below do not draw those above again. */
const Row = memo(function Row({ one }: { one: BoardDay }) {
  const { t } = useTranslation("board");
  const { t: said } = useTranslation("practice");
  return (
    <li className="group relative grid grid-cols-1 gap-x-4 gap-y-0.5 border-b border-rule py-2.5 md:grid-cols-[minmax(0,2fr)_minmax(0,1.6fr)_minmax(0,1fr)_minmax(0,1fr)] md:items-start">
      <div className="min-w-0">
        <MatterLink one={one} />
        <span className="block text-[0.9375rem] break-words">{matterName(one, said)}</span>
      </div>
      <div className="min-w-0 text-[0.9375rem] tabular-nums">
        {one.task === null ? (
          <span className={one.what === "hearing" ? "font-medium" : ""}>
            {t(one.what === "hearing" ? "hearing" : "reply")}
          </span>
        ) : (
          <TaskBox one={one} id={one.task} />
        )}
        {one.time !== "" && <span> · {one.time}</span>}
        {one.part === "overdue" && one.day !== null && <span> · {t("dueOn", { day: day(one.day) })} </span>}
        {one.part === "undated" && one.day !== null && <span> · {t("perhaps", { day: day(one.day) })}</span>}
        {one.part === "overdue" && one.day !== null && (
          <span className="mr-2 inline-block">
            <DaysLeft date={one.day} />
          </span>
        )}
        {one.officer !== null && one.task === null && (
          <span className="block text-sm break-words text-ink-soft">{one.officer}</span>
        )}
      </div>
      <div className="text-[0.9375rem] tabular-nums md:text-right">
        {one.demand_paise !== null && one.demand_paise > 0 && money(one.demand_paise / 100)}
      </div>
      <div className="text-sm">
        <span>{said(`states.${one.state}`)}</span>
        <span className="block text-ink-soft">{one.assignee?.name ?? t("nobody")}</span>
      </div>
    </li>
  );
});

/** A task with a checkbox to mark it as done. */
function TaskBox({ one, id }: { one: BoardDay; id: string }) {
  const { t } = useTranslation("board");
  const works = useWorks();
  const { change } = useTaskActs(one.matter);
  return (
    <span className="inline-flex max-w-full items-start gap-2">
      {/* Above the link of the row, so that it can be clicked. */}
      <input
        type="checkbox"
        className="relative z-1 mt-1 size-4 shrink-0"
        aria-label={t("tasks.done", { text: one.text })}
        checked={change.isPending || change.isSuccess}
        disabled={!works || change.isPending || change.isSuccess}
        onChange={() => {
          change.mutate(
            { id, done: true },
            {
              onError: (error) => {
                toast.error(sentenceOf(error, t("tasks.failed")));
              },
            },
          );
        }}
      />
      <span className="min-w-0 break-words">{one.text}</span>
    </span>
  );
}

/** The link to the matter; the whole row can be clicked. */
function MatterLink({ one }: { one: BoardDay }) {
  return (
    <Link
      to={`/app/practice/matters/${one.matter}`}
      className="rounded font-medium break-words after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      {one.client.name}
    </Link>
  );
}

/** The hearings as a cause list, to print or take along. */
function Causes({ days }: { days: BoardDay[] }) {
  const { t } = useTranslation("board");
  const { t: said } = useTranslation("practice");
  return (
    <Table
      stacked
      label={t("causes")}
      head={[t("cause.when"), t("cause.officer"), t("cause.client"), t("cause.matter"), t("cause.assignee")]}
      rows={days.map((one) => ({
        key: keyOf(one),
        cells: [
          <span key="when" className="whitespace-nowrap">
            {one.day !== null && day(one.day)}
            {one.time !== "" && <span className="block">{one.time}</span>}
          </span>,
          <>
            {one.officer}
            {one.venue !== "" && <span className="block text-sm text-ink-soft">{one.venue}</span>}
          </>,
          <>
            {one.client.name}
            {one.gstin !== null && <span className="block text-sm text-ink-soft">{one.gstin}</span>}
          </>,
          <Link
            key="matter"
            to={`/app/practice/matters/${one.matter}`}
            className="text-accent underline underline-offset-4"
          >
            {matterName(one, said)}
          </Link>,
          one.assignee?.name ?? t("nobody"),
        ],
      }))}
    />
  );
}
