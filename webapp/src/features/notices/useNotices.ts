import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { listNotices, noticesQueryKey, type NoticeLine } from "@/lib/api";

export const views = ["all", "due", "overdue", "waiting", "done"] as const;
export type View = (typeof views)[number];

export const sorts = ["urgent", "client", "demand", "newest"] as const;
export type Sort = (typeof sorts)[number];

const page = 50;

/**
 * Loads the person's notices for a view, a search and an order, page by page; while any is being read, it reloads them.
 */
export function useNotices(view: View, sort: Sort, search: string) {
  const query = useInfiniteQuery({
    queryKey: [...noticesQueryKey(), view, sort, search],
    queryFn: async ({ pageParam, signal }) =>
      (await listNotices({ query: { view, sort, search, skip: pageParam, most: page }, signal, throwOnError: true }))
        .data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { notices }) => sum + (notices?.length ?? 0), 0);
      return shown < last.total && (last.notices?.length ?? 0) > 0 ? shown : undefined;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ notices }) => notices?.some(working)) === true ? 3_000 : false,
  });
  const pages = query.data?.pages ?? [];
  return {
    query,
    notices: pages.flatMap(({ notices }) => notices ?? []),
    counts: pages[0]?.counts,
    total: pages[0]?.total ?? 0,
  };
}

const working = ({ turn_state: state }: NoticeLine) => state === "queued" || state === "running";
