import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { conversationOptions, conversationsQueryKey, createConversation, postMessage } from "@/lib/api";
import type { Language } from "@/lib/i18n";
import { useUpload } from "./useUpload";

/** What starts a conversation: text, values for the plugin's inputs, or both. */
export type Beginning = {
  text?: string;
  inputs?: Record<string, string> | undefined;
  /** The language of the answer, if it differs from that of other answers. */ language?: Language;
  key: string;
};

/** Starts a conversation with a plugin, with or without a file, and then opens it; onTaken is called first. */
export function useBegin(plugin: string, home: string, onTaken?: () => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const begun = useRef<string | null>(null);

  // A conversation created for something that was refused is used for the next attempt.
  const begin = async () => {
    begun.current ??= (await createConversation({ body: { plugin }, throwOnError: true })).data.id;
    return begun.current;
  };
  const show = async (id: string, state?: unknown) => {
    void queries.invalidateQueries({ queryKey: conversationsQueryKey() });
    // Loaded in advance, so that the next page opens with its content; that page itself shows any error.
    await queries.query(conversationOptions(id)).catch(() => undefined);
    await navigate(`${home}/${id}`, { state });
  };
  const open = async (id: string) => {
    onTaken?.();
    await show(id);
  };

  const sending = useUpload(begin, open);
  const send = useMutation({
    mutationFn: async ({ text, inputs, language, key }: Beginning) => {
      const id = await begin();
      await postMessage({
        path: { id },
        body: { ...(text === undefined ? {} : { text }), ...(inputs === undefined ? {} : { inputs }) },
        headers: { "Idempotency-Key": key, ...(language === undefined ? {} : { "Accept-Language": language }) },
        throwOnError: true,
      });
      return id;
    },
    onSuccess: open,
  });
  /** Opens a new, empty conversation, passing a state to its page. */
  const enter = useMutation({
    mutationFn: async (state: unknown) => {
      await show(await begin(), state);
    },
  });
  return { sending, send, enter };
}
