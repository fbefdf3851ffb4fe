import { Download, Upload } from "lucide-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { registerUrl, type MatterLine } from "@/lib/api";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { SearchField, useSettled } from "@/lib/ui/search";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { DaysLeft } from "@/parts/deadline";
import { Choice, Filters } from "./Filters";
import { Failed, Frame, Loading } from "./Frame";
import { matterName } from "./names";
import { useFilters } from "./useFilters";
import { states, useMatters } from "./usePractice";
import { Views } from "./Views";
import { Yours } from "./Yours";

/** The firm's matters: those with a date to confirm first, then by next date. */
export function MattersPage() {
  const { t, i18n } = useTranslation(["practice", "board", "import"]);
  const filters = useFilters();
  const { of, set, narrowed, address } = filters;
  const [typed, setTyped] = useState(of("search"));
  const search = useSettled(typed);
  const state = of("state");
  const closed = of("closed") !== "";
  const { query, matters, total } = useMatters({ search, state, closed, ...narrowed });
  const register: Record<string, string> = closed ? { closed: "true" } : {};
  for (const [name, value] of Object.entries(narrowed)) register[name] = String(value);
  const all = search === "" && address === "";
  return (
    <Frame title={t("matters")}>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("matters")}</h1>
      {all && <Yours />}
      <SearchField label={t("list.search")} value={typed} onChange={setTyped} className="mt-4 block" />
      <Filters filters={filters}>
        <Choice
          label={t("list.state")}
          value={state}
          options={states.map((one) => ({ id: one, name: t(`states.${one}`) }))}
          onChoose={(value) => {
            set("state", value);
          }}
        />
        <label className="flex min-h-10 items-center gap-2 text-[0.9375rem]">
          <input
            type="checkbox"
            className="size-4"
            checked={closed}
            onChange={(event) => {
              set("closed", event.target.checked ? "1" : "");
            }}
          />
          {t("list.closed")}
        </label>
      </Filters>
      <Views page="matters" address={address} />
      {query.isPending ? (
        <Loading />
      ) : query.isError && matters.length === 0 ? (
        <Failed error={query.error} onAgain={() => void query.refetch()} />
      ) : matters.length === 0 ? (
        <>
          <p className="mt-6 max-w-prose text-ink-soft">{t(all ? "list.empty" : "list.none")}</p>
          {all && <ImportLink name={t("import:nav")} />}
        </>
      ) : (
        <>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-2">
            <p role="status" className="text-sm text-ink-soft">
              {t("list.found", { count: total })}
            </p>
            <span className="flex flex-wrap">
              <ImportLink name={t("import:nav")} />
              <Button asChild size="small" look="quiet">
                <a href={registerUrl(register, i18n.language)} download>
                  <Download aria-hidden />
                  {t("board:register")}
                </a>
              </Button>
            </span>
          </div>
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

/** The link to import a register, for members who may work on papers. */
function ImportLink({ name }: { name: string }) {
  return (
    <Works>
      <Button asChild size="small" look="quiet">
        <Link to="/app/practice/import">
          <Upload aria-hidden />
          {name}
        </Link>
      </Button>
    </Works>
  );
}

/** Drawn once, so that more rows below do not draw those above again. */
const Row = memo(function Row({ matter }: { matter: MatterLine }) {
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
});
