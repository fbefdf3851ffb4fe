import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import {
  chooseFigureColumns,
  classFigure,
  conversationOptions,
  figureEntriesOptions,
  figureEntriesQueryKey,
  figuresOptions,
  figuresQueryKey,
  idempotencyKey,
  reload,
  removeFigures,
  type FigureQuery,
} from "@/lib/api";
import type { ConversationView } from "@/parts/conversation";

/**
 * Loads the files of a notice and the result, reloads them with the conversation, and has the functions to change them.
 */
export function useFigures(id: string, { accept }: ConversationView) {
  const queries = useQueryClient();
  const conversation = useQuery(conversationOptions(id)).data;
  const query = useQuery(figuresOptions(id));
  const before = useRef(conversation);
  useEffect(() => {
    if (before.current !== undefined && before.current !== conversation) {
      void reload(queries, figuresQueryKey(id));
      void reload(queries, figureEntriesQueryKey(id));
    }
    before.current = conversation;
  }, [queries, id, conversation]);
  const remove = useMutation({
    mutationFn: async (file: string) =>
      (
        await removeFigures({
          path: { id, file },
          headers: { "Idempotency-Key": idempotencyKey() },
          throwOnError: true,
        })
      ).data,
    onSuccess: accept,
  });
  const choose = useMutation({
    mutationFn: async ({ file, columns }: { file: string; columns: Record<string, number> }) =>
      (
        await chooseFigureColumns({
          path: { id, file },
          body: { columns },
          headers: { "Idempotency-Key": idempotencyKey() },
          throwOnError: true,
        })
      ).data,
    onSuccess: accept,
  });
  return { query, remove, choose };
}

/** Loads a page of the documents, with a function to change the class of one. */
export function useDocuments(id: string, by: FigureQuery) {
  const queries = useQueryClient();
  const query = useQuery({ ...figureEntriesOptions(id, by), placeholderData: keepPreviousData });
  const give = useMutation({
    mutationFn: async (body: { record: string; class: string }) =>
      (await classFigure({ path: { id }, body, throwOnError: true })).data,
    onSuccess: async (shown) => {
      queries.setQueryData(figuresOptions(id).queryKey, shown);
      await reload(queries, figureEntriesQueryKey(id));
    },
  });
  return { query, give };
}
