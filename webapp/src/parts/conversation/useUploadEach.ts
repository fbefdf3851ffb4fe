import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import {
  ApiError,
  conversationsQueryKey,
  createConversation,
  idempotencyKey,
  meOptions,
  noticesQueryKey,
  sayNoUseLeft,
  uploadDocument,
} from "@/lib/api";

/** A paper that starts its own conversation, with its progress. */
export type Begun = {
  key: string;
  plugin: string;
  /** A PDF, or photographs of its pages in order. */
  files: File[];
  state: "waiting" | "sending" | "sent" | "failed";
  /** How much of it has been sent, 0 to 1. */
  share: number;
  /** Id of its conversation; null before it exists. */
  id: string | null;
  error: Error | null;
};

/** Reports whether a file was refused because no use is left. */
export const unpaid = (error: Error | null) => error instanceof ApiError && error.code === "no_use_left";

/** Reports whether a file is waiting or being sent. */
export const onItsWay = ({ state }: Begun) => state === "waiting" || state === "sending";

/**
 * Sends papers one after the other, each to its own conversation, on whichever page the person is. If one fails, the
 * others continue; if no use is left, the rest waits.
 */
class Queue {
  #files: readonly Begun[] = [];
  readonly #listeners = new Set<() => void>();
  #busy = false;

  constructor(readonly queries: QueryClient) {}

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly files = () => this.#files;

  add(plugin: string, chosen: File[][]) {
    const added = chosen.map((files): Begun => {
      return { key: idempotencyKey(), plugin, files, state: "waiting", share: 0, id: null, error: null };
    });
    this.#set([...this.#files.filter((one) => one.plugin !== plugin || one.state !== "sent"), ...added]);
    void this.#run();
  }

  again(failed: Begun[]) {
    for (const { key } of failed) this.#change(key, { state: "waiting" });
    void this.#run();
  }

  clear(plugin: string) {
    this.#set(this.#files.filter((one) => one.plugin !== plugin || onItsWay(one)));
  }

  #set(files: readonly Begun[]) {
    this.#files = files;
    if (files.some((one) => onItsWay(one) || (one.state === "failed" && unpaid(one.error))))
      window.addEventListener("beforeunload", warn);
    else window.removeEventListener("beforeunload", warn);
    for (const listener of this.#listeners) listener();
  }

  #change(key: string, to: Partial<Begun>) {
    this.#set(this.#files.map((one) => (one.key === key ? { ...one, ...to } : one)));
  }

  async #run() {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#send(next);
    this.#busy = false;
  }

  #next() {
    return this.#files.find(({ state }) => state === "waiting");
  }

  async #send({ key, plugin, files, id: known }: Begun) {
    this.#change(key, { state: "sending", share: 0, error: null });
    try {
      // A file that was refused already has its conversation.
      const id = known ?? (await createConversation({ body: { plugin }, throwOnError: true })).data.id;
      this.#change(key, { id });
      await uploadDocument({
        conversationId: id,
        files,
        type: "",
        idempotencyKey: key,
        signal: new AbortController().signal,
        onProgress: (share) => {
          this.#change(key, { share });
        },
      });
      this.#change(key, { state: "sent", share: 1 });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (unpaid(error)) {
        // Known first, so that the files are not said to be ready for sending.
        await this.queries.invalidateQueries({ queryKey: meOptions().queryKey });
        this.#set(this.#files.map((one) => (one.state === "waiting" ? failing(one, error) : one)));
        sayNoUseLeft();
      }
      this.#change(key, { state: "failed", error });
    }
    void this.queries.invalidateQueries({ queryKey: noticesQueryKey() });
    void this.queries.invalidateQueries({ queryKey: conversationsQueryKey() });
    void this.queries.invalidateQueries({ queryKey: meOptions().queryKey }); // it may have used up a free use
  }
}

const failing = (one: Begun, error: Error): Begun => ({ ...one, state: "failed", error });

/** Files that have not been sent, or that wait for a use, would be lost with the page. */
const warn = (event: BeforeUnloadEvent) => {
  event.preventDefault();
};

const queues = new WeakMap<QueryClient, Queue>();

function useQueue(): Queue {
  const queries = useQueryClient();
  let queue = queues.get(queries);
  if (queue === undefined) {
    queue = new Queue(queries);
    queues.set(queries, queue);
  }
  return queue;
}

/** Returns all papers being sent to their own conversations. */
export function useUploads(): readonly Begun[] {
  const { subscribe, files } = useQueue();
  return useSyncExternalStore(subscribe, files);
}

/** Starts a conversation with a plugin for each of several papers, one after the other. */
export function useUploadEach(plugin: string) {
  const queue = useQueue();
  const files = useUploads().filter((one) => one.plugin === plugin);
  return {
    files,
    add: (chosen: File[][]) => {
      queue.add(plugin, chosen);
    },
    again: (failed: Begun[]) => {
      queue.again(failed);
    },
    clear: () => {
      queue.clear(plugin);
    },
  };
}
