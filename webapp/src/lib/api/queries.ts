import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors";

/** The cache of everything the server told us; nothing of the server is kept anywhere else. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A refusal stays a refusal; a server or a line that is down may be back in a moment.
        retry: (failures, error) => failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
      // Whether the browser believes to be online says little of a server on this machine.
      mutations: { networkMode: "always" },
    },
  });
}
