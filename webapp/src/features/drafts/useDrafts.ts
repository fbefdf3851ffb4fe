import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";
import {
  deleteDraft,
  draftQueryKey,
  draftsQueryKey,
  listDrafts,
  replyQueryKey,
  undeleteDraft,
  type DraftLine,
} from "@/lib/api";

/** Loads the person's drafts that contain the words of a search, latest first, page by page. */
export function useDrafts(search: string) {
  const query = useInfiniteQuery({
    queryKey: [...draftsQueryKey(), search],
    queryFn: async ({ pageParam, signal }) =>
      (await listDrafts({ query: { search, skip: pageParam }, signal, throwOnError: true })).data,
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next === 0 ? undefined : next),
    placeholderData: keepPreviousData,
  });
  return { query, drafts: (query.data?.pages ?? []).flatMap(({ drafts }) => drafts ?? []) };
}

/** Deletes a draft, and restores it. */
export function useDraftRemoval() {
  const queries = useQueryClient();
  const onSuccess = (_: unknown, { id, conversation_id: conversation }: DraftLine) => {
    const touched: QueryKey[] = [
      draftsQueryKey(),
      draftQueryKey(id),
      ...(conversation === null ? [] : [replyQueryKey(conversation)]),
    ];
    return Promise.all(touched.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  const remove = useMutation({
    mutationFn: async ({ id }: DraftLine) => {
      await deleteDraft({ path: { id }, throwOnError: true });
    },
    onSuccess,
  });
  const restore = useMutation({
    mutationFn: async ({ id }: DraftLine) => {
      await undeleteDraft({ path: { id }, throwOnError: true });
    },
    onSuccess,
  });
  return { remove, restore };
}
