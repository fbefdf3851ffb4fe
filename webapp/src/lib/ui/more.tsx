import type { ReactNode } from "react";
import { Button } from "./button";
import { Spinner } from "./spinner";

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };

/** A button that loads the next page of a list; nothing on the last page. */
export function More({ query, children }: { query: Pages; children: ReactNode }) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      size="small"
      className="mx-auto mt-3 flex"
      disabled={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {query.isFetchingNextPage && <Spinner />}
      {children}
    </Button>
  );
}
