import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import {
  briefOptions,
  briefQueryKey,
  conversationOptions,
  conversationQueryKey,
  correctFact,
  noticesQueryKey,
  remindersQueryKey,
  undoCorrection,
  type Brief,
} from "@/lib/api";

/** A correction of a field by a person: the right value, or a confirmation of what was read. */
export type Said = { field: string; value: unknown } | { field: string; confirmed: true };

/** Loads the brief of a conversation's notice, with functions to correct it. It is reloaded with the conversation. */
export function useBrief(id: string) {
  const queries = useQueryClient();
  const conversation = useQuery(conversationOptions(id)).data;
  const query = useQuery(briefOptions(id));
  const before = useRef(conversation);
  useEffect(() => {
    if (before.current !== undefined && before.current !== conversation)
      void queries.invalidateQueries({ queryKey: briefQueryKey(id) });
    before.current = conversation;
  }, [queries, id, conversation]);

  /** Shows the brief, and reloads what depends on it. */
  const show = async (brief: Brief) => {
    queries.setQueryData(briefQueryKey(id), brief);
    await Promise.all([
      queries.invalidateQueries({ queryKey: conversationQueryKey(id) }),
      queries.invalidateQueries({ queryKey: noticesQueryKey() }),
      queries.invalidateQueries({ queryKey: remindersQueryKey() }),
    ]);
  };
  const say = useMutation({
    mutationFn: async (said: Said) => (await correctFact({ path: { id }, body: said, throwOnError: true })).data,
    onSuccess: show,
  });
  const undo = useMutation({
    mutationFn: async (field: string) =>
      (await undoCorrection({ path: { id }, body: { field }, throwOnError: true })).data,
    onSuccess: show,
  });
  return { brief: query.data, failed: query.isError, refetch: query.refetch, say, undo };
}
