import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { lawOptions, lawSearchOptions, publicConfigOptions, sentenceOf, type LawAct, type LawHit } from "@/lib/api";
import { day } from "@/lib/format";
import { spoken } from "@/lib/i18n";
import { HowToImport, numberName, pageOf, shortOf, useTitles } from "@/parts/law";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { SearchField, useSettled } from "@/lib/ui/search";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";

/** The Acts and Rules by chapter, with a search; the search text is in the address. */
export function LawPage() {
  const { t } = useTranslation("law");
  const config = useQuery(publicConfigOptions()).data;
  usePageTitle(t("heading"), config?.product_name ?? "");
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get("q") ?? "");
  const words = useSettled(typed);
  const { data, error, refetch } = useQuery(lawOptions());
  const acts = data?.acts ?? [];
  const act = acts.find(({ id }) => id === params.get("act"))?.id ?? "";
  const kept = params.get("q") ?? "";
  useEffect(() => {
    if (words === kept) return;
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (words === "") after.delete("q");
        else after.set("q", words);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [words, kept, setParams]);
  const choose = (id: string) => {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (id === "") after.delete("act");
        else after.set("act", id);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6">
        <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("heading")}</h1>
        <p className="mt-2 text-ink-soft">{t("hint")}</p>
        <SearchField label={t("search.label")} value={typed} onChange={setTyped} className="mt-5 block" />
        {acts.length > 0 && (
          <div role="group" aria-label={t("acts")} className="-mx-1 mt-2 flex flex-wrap gap-1">
            {["", ...acts.map(({ id }) => id)].map((id) => {
              const of = acts.find((one) => one.id === id);
              return (
                <Button
                  key={id}
                  look="quiet"
                  size="small"
                  aria-pressed={act === id}
                  className={cn(act === id && "bg-accent-soft text-accent")}
                  onClick={() => {
                    choose(id);
                  }}
                >
                  {of === undefined ? t("allActs") : shortOf(of)}
                </Button>
              );
            })}
          </div>
        )}
        {words !== "" ? (
          <Found words={words} act={act} acts={acts} />
        ) : data !== undefined ? (
          <>
            {acts.every(({ held }) => held === 0) && <NothingImported />}
            {acts
              .filter(({ id }) => act === "" || id === act)
              .map((one) => (
                <Act key={one.id} act={one} open={act !== ""} />
              ))}
          </>
        ) : error === null ? (
          <div className="mt-8 space-y-4" role="status" aria-label={t("loading")}>
            <Skeleton />
            <Skeleton />
            <Skeleton className="w-4/5" />
          </div>
        ) : (
          <div className="mt-8">
            <p role="alert">{sentenceOf(error, t("failed"))}</p>
            <Button size="small" className="mt-3" onClick={() => void refetch()}>
              {t("again")}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Shown if no official text has been imported: what there is, and how to import it. */
function NothingImported() {
  const { t } = useTranslation("law");
  return (
    <div className="mt-6 rounded-xl border border-rule bg-margin px-4 py-3">
      <p className="text-[0.9375rem]">{t("import.none")}</p>
      <HowToImport />
    </div>
  );
}

function Act({ act, open }: { act: LawAct; open: boolean }) {
  const { t } = useTranslation("law");
  return (
    <section aria-labelledby={`act-${act.id}`} className="mt-8">
      <h2 id={`act-${act.id}`} className="font-serif text-xl font-semibold">
        {act.name === act.id ? shortOf(act) : term(act.name)}
      </h2>
      <p className="text-sm text-ink-soft">
        {act.held === 0
          ? t("text.none")
          : act.as_on === undefined || act.as_on === ""
            ? t("text.held", { count: act.held })
            : t("text.heldAsOn", { count: act.held, day: day(act.as_on) })}
      </p>
      <div className="mt-2 border-t border-rule">
        {act.chapters?.map(({ id, title, provisions }) => (
          <details key={id} open={open && act.chapters?.length === 1} className="group/chapter border-b border-rule">
            <summary className="flex min-h-11 cursor-pointer items-baseline justify-between gap-3 rounded py-2.5">
              <span>{term(title)}</span>
              <span className="shrink-0 text-sm text-ink-soft tabular-nums">{range(provisions ?? [])}</span>
            </summary>
            <ul className="pb-3">
              {provisions?.map(({ number, heading, status }) => (
                <li key={number}>
                  <Link
                    to={pageOf({ act: act.id, number })}
                    className="group/row flex min-h-9 items-baseline gap-3 rounded py-1 text-[0.9375rem]"
                  >
                    <span className="w-14 shrink-0 font-medium text-accent tabular-nums">{numberName(number)}</span>
                    <span lang="en" className="group-hover/row:text-accent">
                      {term(heading)}
                      {status !== "current" && status !== "unknown" && (
                        <span lang={spoken()} className="ml-2 text-sm text-ink-soft">
                          {t(`status.${status}`)}
                        </span>
                      )}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </section>
  );
}

/** Returns the first and last number of a chapter. */
function range(provisions: { number: string }[]): string {
  const [first, last] = [provisions[0]?.number, provisions.at(-1)?.number];
  if (first === undefined || last === undefined) return "";
  return first === last ? first : `${first} – ${last}`;
}

function Found({ words, act, acts }: { words: string; act: string; acts: LawAct[] }) {
  const { t } = useTranslation("law");
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...lawSearchOptions(words, act),
    placeholderData: keepPreviousData,
  });
  if (data === undefined) {
    return error === null ? (
      <div className="mt-6 space-y-4" role="status" aria-label={t("search.loading")}>
        <Skeleton />
        <Skeleton />
      </div>
    ) : (
      <div className="mt-6">
        <p role="alert">{sentenceOf(error, t("failed"))}</p>
        <Button size="small" className="mt-3" onClick={() => void refetch()}>
          {t("again")}
        </Button>
      </div>
    );
  }
  const hits = data.hits ?? [];
  return (
    <>
      <p role="status" className={hits.length === 0 ? "mt-6 text-ink-soft" : "sr-only"}>
        {hits.length === 0 ? t("search.none") : t("search.found", { count: hits.length })}
      </p>
      {hits.length > 0 && (
        <ol
          aria-label={t("search.results")}
          className={cn("mt-4 border-t border-rule transition-opacity", isPlaceholderData && "opacity-60")}
        >
          {hits.map((hit) => (
            <Hit
              key={`${hit.act} ${hit.number} ${hit.valid_from}`}
              hit={hit}
              act={acts.find(({ id }) => id === hit.act)}
            />
          ))}
        </ol>
      )}
    </>
  );
}

function Hit({ hit, act }: { hit: LawHit; act: LawAct | undefined }) {
  const { t } = useTranslation("law");
  const { title } = useTitles();
  const past = hit.valid_until !== "";
  const said = spoken() === "hi" && hit.hindi !== "" ? hit.hindi : hit.digest;
  return (
    <li className="group relative border-b border-rule py-3">
      <Link
        to={pageOf(hit, past ? hit.valid_until : null)}
        className="rounded font-medium after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
      >
        {title(act?.unit ?? "section", hit.number)}
        <span lang="en" className="font-serif font-normal">
          {" "}
          · {term(hit.heading)}
        </span>
      </Link>
      <p className="text-[0.9375rem]">{said}</p>
      <p className="mt-0.5 text-sm text-ink-soft">
        {act === undefined ? hit.act : shortOf(act)}
        {past && ` · ${t("between", { from: day(hit.valid_from), until: day(hit.valid_until) })}`}
      </p>
    </li>
  );
}
