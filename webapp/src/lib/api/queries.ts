import { MutationCache, notifyManager, QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError } from "./errors";
import { getMeQueryKey } from "./generated/@tanstack/react-query.gen";

// Show changes in the cache before the next task instead of after a timer. Otherwise a checkbox with a value from the
// cache would briefly fall back to its old state.
notifyManager.setScheduler(queueMicrotask);

const refusals = new EventTarget();

/** Calls tell whenever the server refuses something because no use is left; returns a function to stop this. */
export function onNoUseLeft(tell: () => void): () => void {
  refusals.addEventListener("no_use_left", tell);
  return () => {
    refusals.removeEventListener("no_use_left", tell);
  };
}

/** Reports that no use is left, before the person chooses a file that would be refused. */
export function sayNoUseLeft() {
  refusals.dispatchEvent(new Event("no_use_left"));
}

/** Calls tell when somebody wants to sign in to see a page; returns a function to stop this. */
export function onWantsIn(tell: () => void): () => void {
  refusals.addEventListener("wants_in", tell);
  return () => {
    refusals.removeEventListener("wants_in", tell);
  };
}

/** Asks for the sign-in dialog. */
export function wantIn() {
  refusals.dispatchEvent(new Event("wants_in"));
}

/** Creates the cache of everything loaded from the server; nothing from the server is kept anywhere else. */
export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error) => {
        if (error instanceof ApiError && error.code === "no_use_left") sayNoUseLeft();
      },
      // Any action of the person may count as a use.
      onSettled: () => {
        if (queries.isMutating({ mutationKey: [getMeQueryKey()] }) > 0) return; // the last mutation will reload it
        void queries.invalidateQueries({ queryKey: getMeQueryKey() });
      },
    }),
    defaultOptions: {
      queries: {
        // A refusal is not retried; a server or connection that is down may soon be back.
        retry: (failures, error) =>
          failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
      // The browser's online state says little about a server on this machine.
      mutations: { networkMode: "always" },
    },
  });
  return queries;
}

/** Loads something again; a first load that has not ended is cancelled, since it may miss the change. */
export async function reload(queries: QueryClient, queryKey: QueryKey) {
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}
