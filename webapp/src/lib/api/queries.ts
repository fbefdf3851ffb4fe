import { MutationCache, notifyManager, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors";
import { getMeQueryKey } from "./generated/@tanstack/react-query.gen";

// What changes in the cache shows before the next task, and not a timer later: a checkbox that shows a value of the
// cache would fall back to what it was in between.
notifyManager.setScheduler(queueMicrotask);

const refusals = new EventTarget();

/** Calls back whenever the server refuses something because no use is left; gives what ends that. */
export function onNoUseLeft(tell: () => void): () => void {
  refusals.addEventListener("no_use_left", tell);
  return () => {
    refusals.removeEventListener("no_use_left", tell);
  };
}

/** Says that no use is left, as after a refusal: before a file is chosen that would be sent in vain. */
export function sayNoUseLeft() {
  refusals.dispatchEvent(new Event("no_use_left"));
}

/** Calls back when somebody wants to sign in to see what they came for; gives what ends that. */
export function onWantsIn(tell: () => void): () => void {
  refusals.addEventListener("wants_in", tell);
  return () => {
    refusals.removeEventListener("wants_in", tell);
  };
}

/** Asks for the way in. */
export function wantIn() {
  refusals.dispatchEvent(new Event("wants_in"));
}

/** The cache of everything the server told us; nothing of the server is kept anywhere else. */
export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error) => {
        if (error instanceof ApiError && error.code === "no_use_left") sayNoUseLeft();
      },
      // What a person does may be a use.
      onSettled: () => {
        if (queries.isMutating({ mutationKey: [getMeQueryKey()] }) > 0) return; // it is read again after that
        void queries.invalidateQueries({ queryKey: getMeQueryKey() });
      },
    }),
    defaultOptions: {
      queries: {
        // A refusal stays a refusal; a server or a line that is down may be back in a moment.
        retry: (failures, error) =>
          failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
      // Whether the browser believes to be online says little of a server on this machine.
      mutations: { networkMode: "always" },
    },
  });
  return queries;
}
