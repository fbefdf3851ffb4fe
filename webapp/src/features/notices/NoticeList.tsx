import { Check, CircleAlert, Undo2 } from "lucide-react";
import type { TFunction } from "i18next";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sentenceOf, type NoticeLine } from "@/lib/api";
import { ListFailed, ListPending, useDelete } from "@/parts/conversation";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { More } from "@/lib/ui/more";
import { RemoveButton } from "@/lib/ui/remove";
import { SearchField } from "@/lib/ui/search";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { DaysLeft } from "@/parts/deadline";
import { useMarkAnswered } from "./brief/useMarkAnswered";
import { CalendarFeed } from "./CalendarFeed";
import { useKeptPlace } from "@/lib/ui/keptPlace";
import { useLook } from "./useLook";
import { sorts, useNotices, views, type Sort } from "./useNotices";
import { home, useWords } from "./words";

/** All notices of the person, the next due first; empty if there are none. */
export function NoticeList() {
  const { t } = useTranslation("notices");
  const words = useWords();
  const { view, sort, search, typed, look, type } = useLook();
  const { query, notices, counts, total } = useNotices(view, sort, search);
  const section = useKeptPlace<HTMLElement>(notices.length > 0);
  if (query.isPending) return <ListPending />;
  if (query.isError && notices.length === 0)
    return <ListFailed sentence={sentenceOf(query.error, words.listFailed)} again={() => void query.refetch()} />;
  if (view === "all" && search === "" && typed === "" && notices.length === 0) return null;
  return (
    <section ref={section} aria-labelledby="notices" className="mt-8 text-left">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="notices" className="text-sm font-medium text-ink-soft">
          {words.list}
        </h2>
        <CalendarFeed />
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div role="group" aria-label={t("list.view")} className="-mx-1 flex flex-wrap gap-1">
          {views.map((one) => (
            <Button
              key={one}
              look="quiet"
              size="small"
              aria-pressed={view === one}
              className={cn(view === one && "bg-accent-soft text-accent")}
              onClick={() => {
                look({ view: one });
              }}
            >
              {t(`list.views.${one}`)}
              {counts !== undefined && <span className="tabular-nums">{counts[one]}</span>}
            </Button>
          ))}
        </div>
        <SearchField label={t("list.search")} value={typed} onChange={type} className="flex-1 basis-56" />
        <label className="flex items-center gap-2 text-[0.9375rem]">
          <span className="text-ink-soft">{t("list.sort")}</span>
          <select
            value={sort}
            className="min-h-10 rounded-lg border border-rule-strong/60 bg-sheet px-2"
            onChange={(event) => {
              look({ sort: sorts.find((one) => one === event.target.value) ?? "urgent" });
            }}
          >
            {sorts.map((one) => (
              <option key={one} value={one}>
                {t(`list.sorts.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p role="status" className="sr-only">
        {t("list.found", { count: total })}
      </p>
      {notices.length === 0 ? (
        <p className="border-t border-rule py-6 text-center text-ink-soft mt-3">{t("list.none")}</p>
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          {grouped(sort, notices, t).map(({ key, title, notices: some }) => (
            <Group key={key} title={title} notices={some} />
          ))}
        </div>
      )}
      <More query={query}>{t("list.more", { count: total - notices.length })}</More>
    </section>
  );
}

type Section = { key: string; title: string | null; notices: NoticeLine[] };

/** Groups the notices, in the given order, under headings for that order. */
function grouped(sort: Sort, notices: NoticeLine[], t: TFunction<"notices">): Section[] {
  if (sort === "client") {
    const sections = new Map<string, Section>();
    for (const notice of notices) {
      const client = (notice.client ?? "").toLowerCase();
      const key = `${notice.answered_at === null ? "open" : "done"} ${notice.gstin ?? ""} ${client}`;
      // A notice that was just marked as answered is still among the open ones.
      const known = sections.get(key);
      if (known === undefined) sections.set(key, { key, title: clientTitle(notice, t), notices: [notice] });
      else known.notices.push(notice);
    }
    return [...sections.values()];
  }
  if (sort !== "urgent") return [{ key: sort, title: null, notices }];
  const urgent = notices.filter(({ attention }) => attention !== null && attention.length > 0);
  const others = notices.filter((notice) => !urgent.includes(notice));
  return [
    { key: "urgent", title: t("list.attention.title"), notices: urgent },
    { key: "others", title: urgent.length === 0 ? null : t("list.others"), notices: others },
  ];
}

function clientTitle({ client, gstin, answered_at: answered }: NoticeLine, t: TFunction<"notices">): string {
  const parts = [client ?? t("list.noClient"), gstin, answered === null ? null : t("list.answered")];
  return parts.filter((part) => part !== null).join(" · ");
}

/** Notices under a heading; nothing if there are none. */
function Group({ title, notices }: { title: string | null; notices: NoticeLine[] }) {
  const id = useId();
  if (notices.length === 0) return null;
  return (
    <section aria-labelledby={title === null ? undefined : id}>
      {title !== null && (
        <h3 id={id} className="mt-5 font-serif text-lg font-semibold">
          {title}
        </h3>
      )}
      <ul className={cn("border-t border-rule", title === null ? "mt-3" : "mt-1.5")}>
        {notices.map((notice) => (
          <Row key={notice.id} notice={notice} />
        ))}
      </ul>
    </section>
  );
}

/** The reasons to look at this notice before others. */
function Reasons({ notice }: { notice: NoticeLine }) {
  const { t } = useTranslation("notices");
  return (
    <ul className="col-span-2 flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-due md:col-span-5">
      {(notice.attention ?? []).map(({ code, page }) => (
        <li key={code} className="flex items-center gap-1.5">
          <CircleAlert aria-hidden className="size-3.5 shrink-0" />
          {t(`list.attention.${code}`, { page: Math.max(1, page) })}
        </li>
      ))}
    </ul>
  );
}

/** A notice: a card on a phone, a table row on a wider screen. */
function Row({ notice }: { notice: NoticeLine }) {
  const { t } = useTranslation("notices");
  const words = useWords();
  const answer = useMarkAnswered(notice.id);
  const remove = useDelete();
  const done = notice.answered_at !== null;
  const watched = notice.reply_by ?? notice.watch_by;
  const name = notice.client ?? (notice.title || words.untitled);
  const years =
    notice.first_year === notice.last_year
      ? notice.first_year
      : t("list.years", { first: notice.first_year, last: notice.last_year });
  const said = [notice.form === null ? null : t("facts.form", { form: notice.form }), years].filter(
    (part) => part !== null,
  );

  return (
    <li
      className={cn(
        "group relative grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 border-b border-rule py-3 md:grid-cols-[minmax(0,2.2fr)_minmax(0,1.8fr)_minmax(0,1fr)_minmax(0,1.5fr)_auto] md:items-center",
        done && "text-ink-soft",
      )}
    >
      <div className="min-w-0">
        <Link
          to={`${home}/${notice.id}`}
          className="line-clamp-2 rounded font-medium after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {name}
        </Link>
        {notice.gstin !== null && <span className="block text-sm text-ink-soft tabular-nums">{notice.gstin}</span>}
      </div>
      <div className="col-span-2 min-w-0 text-[0.9375rem] md:col-span-1">
        {said.join(" · ")}
        {notice.reference !== null && (
          <span className="block text-sm text-ink-soft tabular-nums">{notice.reference}</span>
        )}
      </div>
      <div className="text-[0.9375rem] whitespace-nowrap tabular-nums md:text-right">
        {notice.demand_paise !== null && notice.demand_paise > 0 && money(notice.demand_paise / 100)}
      </div>
      <div className="col-span-2 text-[0.9375rem] md:col-span-1">
        {watched !== null && (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="tabular-nums">{day(watched)}</span>
            {!done && <DaysLeft date={watched} />}
            {!done && notice.reply_by === null && (
              <span className="text-sm text-due">
                {t(notice.watch_what === "hearing" ? "list.hearingUnsettled" : "list.unsettled")}
              </span>
            )}
          </span>
        )}
        <span className="flex items-center gap-1.5 text-sm text-ink-soft">
          <State notice={notice} />
        </span>
      </div>
      {!done && notice.attention !== null && notice.attention.length > 0 && <Reasons notice={notice} />}
      <div className="relative z-10 col-start-2 row-start-1 -my-1 flex md:col-start-5">
        <Works>
          <Button
            look="quiet"
            size="icon-small"
            title={t(done ? "list.reopen" : "brief.markAnswered")}
            aria-label={t(done ? "list.reopenLabel" : "list.doneLabel", { name })}
            onClick={() => {
              answer.mutate(!done);
            }}
          >
            {done ? <Undo2 aria-hidden /> : <Check aria-hidden />}
          </Button>
          <RemoveButton
            title={t("list.delete")}
            label={t("list.deleteLabel", { name })}
            onRemove={() => {
              remove.mutate({ id: notice.id, name });
            }}
          />
        </Works>
      </div>
    </li>
  );
}

function State({ notice }: { notice: NoticeLine }) {
  const { t } = useTranslation("notices");
  const { turn_state: state, needed, asked } = notice;
  if (notice.answered_at !== null) return <>{t("brief.answered", { date: day(notice.answered_at) })}</>;
  if (state === "queued" || state === "running") {
    return (
      <>
        <Spinner className="size-3.5" />
        {t("list.state.working")}
      </>
    );
  }
  if (state === "failed") return <span className="text-overdue">{t("list.state.failed")}</span>;
  if (needed > 0) return <>{t("list.state.waiting", { count: needed })}</>;
  if (asked > 0) return <>{t("list.state.complete")}</>;
  return null;
}
