import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationOptions,
} from "@tanstack/react-query";
import {
  attachAcknowledgement,
  briefQueryKey,
  changeMatter,
  conversationQueryKey,
  everyMatterQueryKey,
  firmOptions,
  getTriage,
  listMatters,
  matterQueryKey,
  mattersQueryKey,
  noteFiled,
  noticesQueryKey,
  triageQueryKey,
  undoFiled,
} from "@/lib/api";
import type { Narrowed } from "./useFilters";

const page = 50;

/** Loads the documents that nobody has checked, page by page; it reloads them while documents are being read. */
export function useTriage() {
  const query = useInfiniteQuery({
    queryKey: triageQueryKey(),
    queryFn: async ({ pageParam, signal }) =>
      (await getTriage({ query: { skip: pageParam, most: page }, signal, throwOnError: true })).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { papers }) => sum + (papers?.length ?? 0), 0);
      return shown < last.total && (last.papers?.length ?? 0) > 0 ? shown : undefined;
    },
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.batches?.some(({ reading }) => reading > 0) === true ? 3_000 : 60_000,
  });
  return { query, papers: query.data?.pages.flatMap(({ papers }) => papers ?? []) ?? [], first: query.data?.pages[0] };
}

/** The filters of the list of matters. */
export type Filter = Narrowed & { search: string; state: string; closed: boolean };

/** Loads the firm's matters, page by page. */
export function useMatters({ search, state, closed, ...narrowed }: Filter) {
  const query = useInfiniteQuery({
    queryKey: [...mattersQueryKey(), search, state, closed, narrowed],
    queryFn: async ({ pageParam, signal }) =>
      (
        await listMatters({
          query: {
            search,
            closed,
            ...narrowed,
            ...(state === "" ? {} : { state: state as (typeof states)[number] }),
            skip: pageParam,
            most: page,
          },
          signal,
          throwOnError: true,
        })
      ).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { matters }) => sum + (matters?.length ?? 0), 0);
      return shown < last.total && (last.matters?.length ?? 0) > 0 ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages ?? [];
  return { query, matters: pages.flatMap(({ matters }) => matters ?? []), total: pages[0]?.total ?? 0 };
}

export const states = [
  "new",
  "settled",
  "waiting",
  "drafting",
  "review",
  "approved",
  "filed",
  "heard",
  "closed",
] as const;

/** Returns the members to whom a matter can be assigned. */
export function useStaff(): { id: string; name: string }[] {
  const members = useQuery(firmOptions()).data?.members ?? [];
  return members.filter(({ left_at: left, role }) => left === null && role !== "viewer" && role !== "client");
}

/** A mutation after which matters and unchecked documents are loaded again. */
export function usePracticeChange<Input, Output = unknown>(options: UseMutationOptions<Output, Error, Input>) {
  const queries = useQueryClient();
  return useMutation({
    ...options,
    onSettled: (...all) => {
      for (const queryKey of [triageQueryKey(), mattersQueryKey(), noticesQueryKey()])
        void queries.invalidateQueries({ queryKey });
      return options.onSettled?.(...all);
    },
  });
}

/** Records what was filed in answer to a notice, with its acknowledgement if there is one, and undoes that. */
export function useFiled(id: string) {
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all(
      [everyMatterQueryKey(), conversationQueryKey(id), briefQueryKey(id)].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const note = usePracticeChange({
    mutationFn: async ({ file, ...body }: { arn: string; day: string; file: File | null }) => {
      await noteFiled({ path: { id }, body, throwOnError: true });
      if (file !== null) await attachAcknowledgement({ path: { id }, body: { file }, throwOnError: true });
    },
    onSuccess,
  });
  const undo = usePracticeChange({
    mutationFn: async () => {
      await undoFiled({ path: { id }, throwOnError: true });
    },
    onSuccess,
  });
  return { note, undo };
}

type Change = NonNullable<Parameters<typeof changeMatter>[0]["body"]>;

/** Changes a matter's title, notes, assignee, reviewer or state. */
export function useChangeMatter(id: string) {
  const queries = useQueryClient();
  return usePracticeChange({
    mutationFn: async (body: Change) => (await changeMatter({ path: { id }, body, throwOnError: true })).data,
    onSuccess: (matter) => {
      queries.setQueriesData({ queryKey: matterQueryKey(id) }, matter);
    },
  });
}
