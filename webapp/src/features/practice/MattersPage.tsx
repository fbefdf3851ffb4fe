import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { meOptions, type MatterLine } from "@/lib/api";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { SearchField, useSettled } from "@/lib/ui/search";
import { Spinner } from "@/lib/ui/spinner";
import { DaysLeft } from "@/parts/deadline";
import { Failed, Frame, Loading } from "./Frame";
import { matterName } from "./names";
import { stages, states, useMatters, useStaff } from "./usePractice";
import { Yours } from "./Yours";

/** The firm's matters: those with a date to confirm first, then by their next date. */
export function MattersPage() {
  const { t } = useTranslation("practice");
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get("search") ?? "");
  const search = useSettled(typed);
  const of = (name: string) => params.get(name) ?? "";
  const filter = {
    search,
    stage: of("stage"),
    state: of("state"),
    assignee: of("assignee"),
    client: of("client"),
    closed: of("closed") !== "",
  };
  const { query, matters, total } = useMatters(filter);
  const me = useQuery(meOptions()).data?.acting?.member;
  const staff = useStaff();
  const set = (name: string, value: string) => {
    setParams(
      (was) => {
        const next = new URLSearchParams(was);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  };
  const all = search === "" && [...params.keys()].length === 0;
  return (
    <Frame title={t("matters")}>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("matters")}</h1>
      {all && <Yours />}
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <SearchField label={t("list.search")} value={typed} onChange={setTyped} className="flex-1 basis-64" />
        <Choice
          label={t("list.stage")}
          value={filter.stage}
          options={stages.map((one) => ({ id: one, name: t(`stages.${one}`) }))}
          onChoose={(value) => {
            set("stage", value);
          }}
        />
        <Choice
          label={t("list.state")}
          value={filter.state}
          options={states.map((one) => ({ id: one, name: t(`states.${one}`) }))}
          onChoose={(value) => {
            set("state", value);
          }}
        />
        <Choice
          label={t("list.assignee")}
          value={filter.assignee}
          // Whoever asks comes first.
          options={[...staff].sort((a, b) => Number(b.id === me) - Number(a.id === me))}
          onChoose={(value) => {
            set("assignee", value);
          }}
        />
        <label className="flex min-h-10 items-center gap-2 text-[0.9375rem]">
          <input
            type="checkbox"
            className="size-4"
            checked={filter.closed}
            onChange={(event) => {
              set("closed", event.target.checked ? "1" : "");
            }}
          />
          {t("list.closed")}
        </label>
      </div>
      {query.isPending ? (
        <Loading />
      ) : query.isError && matters.length === 0 ? (
        <Failed error={query.error} onAgain={() => void query.refetch()} />
      ) : matters.length === 0 ? (
        <p className="mt-6 max-w-prose text-ink-soft">{t(all ? "list.empty" : "list.none")}</p>
      ) : (
        <>
          <p role="status" className="mt-4 text-sm text-ink-soft">
            {t("list.found", { count: total })}
          </p>
          <ul className={cn("mt-1 border-t border-rule", query.isPlaceholderData && "opacity-60")}>
            {matters.map((matter) => (
              <Row key={matter.id} matter={matter} />
            ))}
          </ul>
          {query.hasNextPage && (
            <Button
              size="small"
              className="mx-auto mt-3 flex"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchingNextPage && <Spinner />}
              {t("list.more", { count: total - matters.length })}
            </Button>
          )}
        </>
      )}
    </Frame>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  options: { id: string; name: string }[];
  onChoose: (value: string) => void;
};

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const { t } = useTranslation("practice");
  return (
    <label className="flex max-w-full min-w-0 flex-col text-sm text-ink-soft">
      {label}
      <select
        value={value}
        className="min-h-10 max-w-full rounded-lg border border-rule-strong/60 bg-sheet px-2 text-[0.9375rem] text-ink"
        onChange={(event) => {
          onChoose(event.target.value);
        }}
      >
        <option value="">{t("list.any")}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Row({ matter }: { matter: MatterLine }) {
  const { t } = useTranslation("practice");
  const { demand_paise: demand, next_on: next, next_what: what } = matter;
  return (
    <li
      className={cn(
        "group relative grid grid-cols-1 gap-x-4 gap-y-0.5 border-b border-rule py-3 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.5fr)_minmax(0,1.2fr)] md:items-center",
        matter.closed && "text-ink-soft",
      )}
    >
      <div className="min-w-0">
        <Link
          to={`/app/practice/matters/${matter.id}`}
          className="rounded font-medium break-words after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {matter.client.name}
        </Link>
        <span className="block text-[0.9375rem] break-words">{matterName(matter, t)}</span>
        {matter.gstin !== null && matter.gstin !== matter.client.name && (
          <span className="block text-sm text-ink-soft tabular-nums">{matter.gstin}</span>
        )}
      </div>
      <div className="text-[0.9375rem] tabular-nums md:text-right">
        {demand !== null && demand > 0 && money(demand / 100)}
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-[0.9375rem] tabular-nums">
        {next !== null && (
          <>
            {day(next)}
            {(what === "reply" || what === "hearing") && <span className="text-ink-soft">{t(`list.${what}`)}</span>}
            <DaysLeft date={next} />
          </>
        )}
        {matter.open_date && <span className="text-sm text-due">{t("list.undated")}</span>}
      </div>
      <div className="text-sm">
        <span>{t(`states.${matter.state}`)}</span>
        {matter.assignee !== null && <span className="block text-ink-soft">{matter.assignee.name}</span>}
        {(matter.tasks > 0 || matter.comments > 0) && (
          <span className="block text-ink-soft">
            {[
              matter.tasks > 0 && t("tasks.count", { count: matter.tasks }),
              matter.comments > 0 && t("comments.count", { count: matter.comments }),
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        )}
      </div>
    </li>
  );
}
