import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { firmLogQueryKey, listFirmLog, sentenceOf } from "@/lib/api";
import { moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";

/** The firm's log, latest first. */
export function Log() {
  const { t, i18n } = useTranslation("firm");
  const query = useInfiniteQuery({
    queryKey: firmLogQueryKey(),
    queryFn: async ({ pageParam, signal }) =>
      (await listFirmLog({ query: pageParam === "" ? {} : { before: pageParam }, signal, throwOnError: true })).data,
    initialPageParam: "",
    getNextPageParam: (last) => (last.more ? last.entries?.at(-1)?.id : undefined),
  });
  if (query.isError && query.data === undefined) return <p role="alert">{sentenceOf(query.error, t("failed"))}</p>;
  if (query.data === undefined) return <Skeleton className="mt-3" />;
  const named = (event: string) =>
    i18n.exists(`firm:log.events.${event}`) ? t(`log.events.${event}` as "log.events.joined") : event;
  // A link may have no named recipient.
  const nameOf = ({ who, event }: { who: string; event: string }) =>
    who || t(event === "link_answered" || event === "link_handed_in" ? "log.guest" : "log.munshi");
  return (
    <>
      <ul
        // Focusable, so that it can be scrolled with the keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t("log.title")}
        className="mt-2 max-h-96 overflow-y-auto border-y border-rule"
      >
        {query.data.pages
          .flatMap(({ entries }) => entries ?? [])
          .map((entry) => (
            <li
              key={entry.id}
              className="flex flex-wrap justify-between gap-x-4 border-b border-rule py-2 text-[0.9375rem] last:border-b-0"
            >
              <span>
                <span className="font-medium">{nameOf(entry)}</span> {named(entry.event)}
                {typeof entry.detail.name === "string" ? (
                  <span className="text-ink-soft"> {entry.detail.name}</span>
                ) : (
                  entry.named !== "" && <span className="text-ink-soft"> {entry.named}</span>
                )}
                {entry.matter !== null && (
                  <Link
                    to={`/app/practice/matters/${entry.matter.id}`}
                    className="block text-sm break-words text-accent underline-offset-4 hover:underline"
                  >
                    {entry.matter.name}
                  </Link>
                )}
              </span>
              <time dateTime={entry.at} className="text-sm text-ink-soft tabular-nums">
                {moment(entry.at)}
              </time>
            </li>
          ))}
      </ul>
      {query.hasNextPage && (
        <Button
          size="small"
          className="mt-3"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage && <Spinner />}
          {t("log.more")}
        </Button>
      )}
    </>
  );
}
