import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import {
  ApiError,
  conversationsQueryKey,
  createConversation,
  idempotencyKey,
  meOptions,
  noticesQueryKey,
  uploadDocument,
} from "@/lib/api";

/** A paper that begins a conversation of its own, and how far it is. */
export type Begun = {
  key: string;
  plugin: string;
  /** A PDF, or the photographs of its pages in their order. */
  files: File[];
  state: "waiting" | "sending" | "sent" | "failed";
  /** How much of it was sent, 0 to 1. */
  share: number;
  /** Of its conversation; null before there is one. */
  id: string | null;
  error: Error | null;
};

/** Whether a file was not taken since no use is left. */
export const unpaid = (error: Error | null) => error instanceof ApiError && error.code === "no_use_left";

/** Whether a file is still on its way. */
export const onItsWay = ({ state }: Begun) => state === "waiting" || state === "sending";

/**
 * The papers that are sent one after the other, each to a conversation of its own, wherever in the app the person is
 * meanwhile. One that fails holds up no other, but where no use is left the rest waits too.
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
    for (const listener of this.#listeners) listener();
  }

  #change(key: string, to: Partial<Begun>) {
    this.#set(this.#files.map((one) => (one.key === key ? { ...one, ...to } : one)));
  }

  async #run() {
    if (this.#busy) return;
    this.#busy = true;
    window.addEventListener("beforeunload", warn);
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#send(next);
    window.removeEventListener("beforeunload", warn);
    this.#busy = false;
  }

  #next() {
    return this.#files.find(({ state }) => state === "waiting");
  }

  async #send({ key, plugin, files, id: known }: Begun) {
    this.#change(key, { state: "sending", share: 0, error: null });
    try {
      // What was refused has its conversation already.
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
      this.#change(key, { state: "failed", error });
      if (unpaid(error)) this.#set(this.#files.map((one) => (one.state === "waiting" ? failing(one, error) : one)));
    }
    void this.queries.invalidateQueries({ queryKey: noticesQueryKey() });
    void this.queries.invalidateQueries({ queryKey: conversationsQueryKey() });
    void this.queries.invalidateQueries({ queryKey: meOptions().queryKey }); // it may have been a use
  }
}

const failing = (one: Begun, error: Error): Begun => ({ ...one, state: "failed", error });

/** What is not sent yet would be lost with the page. */
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

/** All papers that are being sent to conversations of their own. */
export function useUploads(): readonly Begun[] {
  const { subscribe, files } = useQueue();
  return useSyncExternalStore(subscribe, files);
}

/** Begins a conversation with a plugin for each of several papers, in turn. */
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
