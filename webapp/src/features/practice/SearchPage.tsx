import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { search as searchTexts, searchQueryKey, type FoundText } from "@/lib/api";
import { dayOf } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { SearchField, useSettled } from "@/lib/ui/search";
import { Spinner } from "@/lib/ui/spinner";
import { Failed, Frame, Loading } from "./Frame";
import { useFilters } from "./useFilters";

const page = 20;
// The server finds at most the latest thousand of each kind.
const most = 1000;
const kinds = ["", "document", "draft"] as const;

/** Searches the text of the firm's papers and drafts. */
export function SearchPage() {
  const { t } = useTranslation("board");
  const { of, set } = useFilters();
  const [typed, setTyped] = useState(of("text"));
  const text = useSettled(typed);
  const kind = kinds.find((one) => one === of("kind")) ?? "";
  const kept = of("text");
  useEffect(() => {
    if (text !== kept) set("text", text);
    // Only after a pause in typing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text]);
  const query = useInfiniteQuery({
    queryKey: [...searchQueryKey(), text, kind],
    queryFn: async ({ pageParam, signal }) =>
      (
        await searchTexts({
          query: { text, ...(kind === "" ? {} : { kind }), skip: pageParam, most: page },
          signal,
          throwOnError: true,
        })
      ).data,
    enabled: text !== "",
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { found }) => sum + (found?.length ?? 0), 0);
      return shown < last.total && (last.found?.length ?? 0) > 0 ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const pages = text === "" ? [] : (query.data?.pages ?? []);
  const found = pages.flatMap((one) => one.found ?? []);
  const total = pages[0]?.total ?? 0;
  return (
    <Frame title={t("search.nav")}>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("search.title")}</h1>
      <SearchField label={t("search.label")} value={typed} onChange={setTyped} className="mt-4 block" />
      <p className="mt-2 text-sm text-ink-soft">{t("search.hint")}</p>
      <div role="group" aria-label={t("search.title")} className="mt-3 flex flex-wrap gap-1">
        {kinds.map((one) => (
          <Button
            key={one}
            size="small"
            look="quiet"
            aria-pressed={kind === one}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
            onClick={() => {
              set("kind", one);
            }}
          >
            {t(one === "" ? "search.all" : `search.${one}`)}
          </Button>
        ))}
      </div>
      {text === "" ? null : pages.length === 0 ? (
        query.isError ? (
          <Failed error={query.error} onAgain={() => void query.refetch()} />
        ) : (
          <Loading />
        )
      ) : found.length === 0 ? (
        <p role="status" className="mt-6 text-ink-soft">
          {t("search.none")}
        </p>
      ) : (
        <div className={cn("mt-4", query.isPlaceholderData && "opacity-60")}>
          <p role="status" className="text-sm text-ink-soft">
            {t("search.found", { count: total })} {total >= most && t("search.most")}
          </p>
          <ul className="mt-1 border-t border-rule">
            {found.map((one) => (
              <Hit key={one.id} one={one} words={pages[0]?.words ?? []} />
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
              {t("search.more")}
            </Button>
          )}
        </div>
      )}
    </Frame>
  );
}

/** The path to the place of a result: the page of a document, or the draft. */
function placeOf({ kind, id, paper, page: number, notice }: FoundText): string {
  if (kind === "draft" || paper === null) return `/app/drafts/${id}`;
  const at = new URLSearchParams(number > 0 ? { page: String(number) } : {});
  if (!notice) at.set("document", id);
  return `/app/notices/${paper}?${at.toString()}`;
}

function Hit({ one, words }: { one: FoundText; words: string[] }) {
  const { t } = useTranslation("board");
  const name = [one.form, one.reference].filter((part) => part !== null).join(" ");
  const what =
    one.kind === "draft"
      ? t("search.draftOf")
      : one.notice
        ? [t("search.notice"), name].filter((part) => part !== "").join(" ")
        : one.title;
  return (
    <li className="group relative border-b border-rule py-3">
      <p className="flex flex-wrap items-baseline gap-x-2 text-[0.9375rem]">
        <Link
          to={placeOf(one)}
          className="rounded font-medium break-words after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {one.client === null ? one.title : `${one.client.name} · ${one.kind === "draft" ? one.title : what}`}
        </Link>
        <span className="text-sm text-ink-soft tabular-nums">
          {[
            one.kind === "draft" ? what : null,
            one.page > 0 ? t("search.page", { page: one.page }) : null,
            dayOf(one.at),
          ]
            .filter((part) => part !== null)
            .join(" · ")}
        </span>
      </p>
      <p className="mt-0.5 text-[0.9375rem] break-words text-ink-soft">
        <Marked text={one.excerpt} words={words} />
      </p>
    </li>
  );
}

/** A text in which the words of the search are marked. */
function Marked({ text, words }: { text: string; words: string[] }) {
  if (words.length === 0) return text;
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const parts = text.split(new RegExp(`(${any})`, "giu"));
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="rounded-sm bg-accent-soft text-ink">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
