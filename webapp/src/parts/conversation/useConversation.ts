import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  closeFollowUp,
  conversationOptions,
  conversationQueryKey,
  conversationsQueryKey,
  postMessage,
  retryTurn,
  stopTurn,
  type ConversationDetail,
  type Turn,
} from "@/lib/api";
import { isActive } from "./live";
import { useLiveTurn } from "./useLiveTurn";

/** A question, and the turn whose question it replaces. */
type Question = { text: string; key: string; inputs?: Record<string, string> | undefined; replaces?: string };

/**
 * A conversation as its screen needs it: what the server has stored, the turn being written, and what a person can do.
 * All state is in the query cache and the stream.
 */
export function useConversation(id: string) {
  const queries = useQueryClient();
  const query = useQuery({
    ...conversationOptions(id),
    // Shows what other tabs or devices send; a running turn has its stream.
    refetchInterval: ({ state }) => (isActive(state.data?.turn ?? null) ? false : 5_000),
  });
  const stored = query.data?.turn ?? null;
  const live = useLiveTurn(id, stored);
  const turn = live.turn ?? stored;
  const working = isActive(stored);

  /** Shows a turn that the server has just accepted, and loads what came with it. */
  const accept = async (accepted: Turn) => {
    queries.setQueryData<ConversationDetail>(
      conversationQueryKey(id),
      (detail) => detail && { ...detail, turn: accepted },
    );
    void queries.invalidateQueries({ queryKey: conversationsQueryKey() });
    await queries.invalidateQueries({ queryKey: conversationQueryKey(id) });
  };

  const ask = async ({ text, key, inputs, replaces }: Question) => {
    const { data } = await postMessage({
      path: { id },
      body: { text, ...(inputs === undefined ? {} : { inputs }), ...(replaces === undefined ? {} : { replaces }) },
      headers: { "Idempotency-Key": key },
      throwOnError: true,
    });
    return data;
  };
  const send = useMutation({ mutationFn: ask, onSuccess: accept });
  /** Asks the last question again; errors are shown at that question. */
  const again = useMutation({ mutationFn: ask, onSuccess: accept });
  const stop = useMutation({
    mutationFn: async (turnId: string) => {
      await stopTurn({ path: { id: turnId }, throwOnError: true });
    },
  });
  const retry = useMutation({
    mutationFn: async (turnId: string) => {
      const { data } = await retryTurn({ path: { id: turnId }, throwOnError: true });
      return data;
    },
    onSuccess: accept,
  });
  /** Ends the wait for documents. */
  const close = useMutation({
    mutationFn: async () => {
      const { data } = await closeFollowUp({ path: { id }, throwOnError: true });
      return data;
    },
    onSuccess: (detail) => {
      queries.setQueryData<ConversationDetail>(conversationQueryKey(id), detail);
    },
  });

  // While a turn is retried, the apology of its last attempt is hidden.
  const messages = (query.data?.messages ?? []).filter(
    (message) => !(working && message.role === "assistant" && message.turn_id === stored.id),
  );

  return { query, messages, turn, working, live, accept, send, again, stop, retry, close };
}

export type ConversationView = ReturnType<typeof useConversation>;
