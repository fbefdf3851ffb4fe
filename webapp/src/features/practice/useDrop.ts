import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { idempotencyKey, openBatch, triageQueryKey, uploadToBatch } from "@/lib/api";

/** A document being uploaded: a PDF, a ZIP, or the photographs of its pages. */
type Item = { files: File[] };

export type Progress = {
  /** The number of the document being sent, counted from 1; 0 if none is. */
  number: number;
  count: number;
  name: string;
  /** How much of it has been sent, 0 to 1. */
  share: number;
};

const idle: Progress = { number: 0, count: 0, name: "", share: 0 };

/**
 * Uploads many documents to a batch, one after the other. If one fails, the others continue, and it can be sent again.
 * The server stores each as it arrives, so leaving the page loses only what was not sent yet.
 */
export function useDrop() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState(idle);
  const [failed, setFailed] = useState<{ items: Item[]; error: Error } | null>(null);
  const waiting = useRef<Item[]>([]);
  const running = useRef<AbortController | null>(null);

  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );

  const run = async () => {
    if (running.current !== null) return;
    const abort = new AbortController();
    running.current = abort;
    let batch = "";
    let number = 0;
    for (let item = waiting.current.shift(); item !== undefined; item = waiting.current.shift()) {
      number += 1;
      const at = { number, count: number + waiting.current.length, name: item.files[0]?.name ?? "" };
      setProgress({ ...at, share: 0 });
      try {
        if (batch === "") batch = (await openBatch({ signal: abort.signal, throwOnError: true })).data.id;
        await uploadToBatch(batch, {
          files: item.files,
          idempotencyKey: idempotencyKey(),
          signal: abort.signal,
          onProgress: (share) => {
            setProgress({ ...at, share });
          },
        });
      } catch (thrown) {
        if (abort.signal.aborted) break;
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        const lost = item;
        setFailed((was) => ({ items: [...(was?.items ?? []), lost], error }));
      }
      void queries.invalidateQueries({ queryKey: triageQueryKey() });
    }
    running.current = null;
    setProgress(idle);
  };

  return {
    progress,
    failed,
    add: (items: File[][]) => {
      waiting.current.push(...items.map((files) => ({ files })));
      void run();
    },
    again: () => {
      waiting.current.push(...(failed?.items ?? []));
      setFailed(null);
      void run();
    },
    cancel: () => {
      waiting.current = [];
      running.current?.abort();
    },
  };
}
