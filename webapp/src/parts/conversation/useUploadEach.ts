import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import {
  ApiError,
  conversationsQueryKey,
  createConversation,
  idempotencyKey,
  noticesQueryKey,
  uploadDocument,
} from "@/lib/api";

/** A file that begins a conversation of its own, and how far it is. */
export type Begun = {
  key: string;
  file: File;
  state: "waiting" | "sending" | "sent" | "failed";
  /** How much of it was sent, 0 to 1. */
  share: number;
  /** Of its conversation; null before there is one. */
  id: string | null;
  error: Error | null;
};

/** Whether a file was not taken since no use is left. */
export const unpaid = (error: Error | null) => error instanceof ApiError && error.code === "no_use_left";

/**
 * Begins a conversation with a plugin for each of several files, in turn. One that fails holds up no other, but
 * where no use is left the rest waits too.
 */
export function useUploadEach(plugin: string) {
  const queries = useQueryClient();
  const [files, setFiles] = useState<Begun[]>([]);
  const waiting = useRef<Begun[]>([]);
  const busy = useRef(false);
  const change = (key: string, to: Partial<Begun>) => {
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...to } : one)));
  };
  const upload = useMutation({
    mutationFn: async (one: Begun) => {
      // What was refused has its conversation already.
      one.id ??= (await createConversation({ body: { plugin }, throwOnError: true })).data.id;
      await uploadDocument({
        conversationId: one.id,
        files: [one.file],
        type: "",
        idempotencyKey: one.key,
        signal: new AbortController().signal,
        onProgress: (share) => {
          change(one.key, { share });
        },
      });
    },
  });
  const send = async (one: Begun) => {
    change(one.key, { state: "sending", share: 0, error: null });
    try {
      await upload.mutateAsync(one);
      change(one.key, { state: "sent", share: 1, id: one.id });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      change(one.key, { state: "failed", id: one.id, error });
      if (unpaid(error)) for (const { key } of waiting.current.splice(0)) change(key, { state: "failed", error });
    }
    void queries.invalidateQueries({ queryKey: noticesQueryKey() });
    void queries.invalidateQueries({ queryKey: conversationsQueryKey() });
  };
  const run = async () => {
    if (busy.current) return;
    busy.current = true;
    for (let next = waiting.current.shift(); next !== undefined; next = waiting.current.shift()) await send(next);
    busy.current = false;
  };
  return {
    files,
    add: (chosen: File[]) => {
      const added = chosen.map((file): Begun => {
        return { key: idempotencyKey(), file, state: "waiting", share: 0, id: null, error: null };
      });
      setFiles((all) => [...all.filter(({ state }) => state !== "sent"), ...added]);
      waiting.current.push(...added);
      void run();
    },
    again: (failed: Begun[]) => {
      for (const one of failed) {
        waiting.current.push({ ...one });
        change(one.key, { state: "waiting" });
      }
      void run();
    },
    clear: () => {
      setFiles((all) => all.filter(({ state }) => state === "waiting" || state === "sending"));
    },
  };
}
