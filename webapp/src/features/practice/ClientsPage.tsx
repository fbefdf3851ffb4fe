import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { everyClientQueryKey, listClients, type ClientLine } from "@/lib/api";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { SearchField, useSettled } from "@/lib/ui/search";
import { Spinner } from "@/lib/ui/spinner";
import { DaysLeft } from "@/parts/deadline";
import { Failed, Frame, Loading } from "./Frame";

const page = 50;

/** The firm's clients by name, page by page. */
export function ClientsPage() {
  const { t } = useTranslation("practice");
  const [typed, setTyped] = useState("");
  const search = useSettled(typed);
  const query = useInfiniteQuery({
    queryKey: [...everyClientQueryKey(), "list", search],
    queryFn: async ({ pageParam, signal }) =>
      (await listClients({ query: { search, skip: pageParam, most: page }, signal, throwOnError: true })).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { clients }) => sum + (clients?.length ?? 0), 0);
      return shown < last.total && (last.clients?.length ?? 0) > 0 ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const clients = query.data?.pages.flatMap((one) => one.clients ?? []) ?? [];
  return (
    <Frame title={t("clients.title")}>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("clients.title")}</h1>
      <SearchField label={t("clients.search")} value={typed} onChange={setTyped} className="mt-4 block" />
      {query.isPending ? (
        <Loading />
      ) : query.isError && clients.length === 0 ? (
        <Failed error={query.error} onAgain={() => void query.refetch()} />
      ) : clients.length === 0 ? (
        <p className="mt-6 max-w-prose text-ink-soft">{t(search === "" ? "clients.empty" : "clients.none")}</p>
      ) : (
        <>
          <p role="status" className="mt-4 text-sm text-ink-soft">
            {t("clients.found", { count: query.data?.pages[0]?.total ?? 0 })}
          </p>
          <ul className={cn("mt-1 border-t border-rule", query.isPlaceholderData && "opacity-60")}>
            {clients.map((client) => (
              <Row key={client.id} client={client} />
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
              {t("clients.more")}
            </Button>
          )}
        </>
      )}
    </Frame>
  );
}

/** Drawn once, so that more rows below do not draw those above again. */
const Row = memo(function Row({ client }: { client: ClientLine }) {
  const { t } = useTranslation("practice");
  return (
    <li className="group relative grid grid-cols-1 gap-x-4 gap-y-0.5 border-b border-rule py-2.5 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.4fr)] md:items-baseline">
      <div className="min-w-0">
        <Link
          to={`/app/practice/clients/${client.id}`}
          className="rounded font-medium break-words after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {client.name}
        </Link>
        <span className="block text-sm break-words text-ink-soft tabular-nums">
          {(client.gstins ?? []).filter((one) => one !== client.name).join(" · ")}
        </span>
      </div>
      <div className="text-[0.9375rem] tabular-nums md:text-right">
        {client.demand_paise > 0 && money(client.demand_paise / 100)}
      </div>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-[0.9375rem] tabular-nums">
        {client.open > 0 && <span>{t("clients.open", { count: client.open })}</span>}
        {client.next_on !== null && (
          <>
            <span>{day(client.next_on)}</span>
            <DaysLeft date={client.next_on} />
          </>
        )}
        {client.look === "late" && <span className="text-sm text-overdue">{t("portal.late")}</span>}
      </div>
    </li>
  );
});
