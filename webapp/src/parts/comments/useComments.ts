import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  addComment,
  commentsOptions,
  commentsQueryKey,
  everyMatterQueryKey,
  firmOptions,
  mattersQueryKey,
  removeComment,
  settleComment,
  type Comment,
} from "@/lib/api";

/** What comments are about. */
export type About = { kind: Comment["kind"]; about: string };

/** Loads comments about something (for a matter, also those about its papers), with functions to change them. */
export function useComments({ kind, about }: About) {
  const queries = useQueryClient();
  const query = useQuery({ ...commentsOptions({ [kind]: about }), refetchInterval: 60_000 });
  const onSettled = () => {
    for (const queryKey of [commentsQueryKey(), everyMatterQueryKey(), mattersQueryKey()])
      void queries.invalidateQueries({ queryKey });
  };
  const add = useMutation({
    mutationFn: async (said: { text: string; mentions: string[]; part: string; quote: string }) => {
      await addComment({ body: { kind, about, ...said }, throwOnError: true });
    },
    onSettled,
  });
  const settle = useMutation({
    mutationFn: async ({ id, settled_at: at }: Comment) => {
      await settleComment({ path: { id }, body: { settled: at === null }, throwOnError: true });
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: async ({ id }: Comment) => {
      await removeComment({ path: { id }, throwOnError: true });
    },
    onSettled,
  });
  return { comments: query.data?.comments ?? [], add, settle, remove };
}

/** Returns the members who can be mentioned. */
export function useColleagues(): { id: string; name: string }[] {
  const members = useQuery(firmOptions()).data?.members ?? [];
  return members.filter(({ left_at: left, role }) => left === null && role !== "viewer" && role !== "client");
}
