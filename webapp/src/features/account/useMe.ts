import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { meOptions, signOut, type Me } from "@/lib/api";

/** Who sits here and what they may use; undefined while it is not known. */
export function useMe(): Me | undefined {
  return useQuery(meOptions()).data;
}

const marker = "munshi.session";
const uses = "munshi.uses";

/**
 * Keeps in this browser's storage, for other tabs to see, that someone is signed in, and how many free uses a visitor
 * has had. Neither opens anything: the server counts, and the session is in a cookie that no script can read.
 */
export function useMarks(me: Me | undefined) {
  const queries = useQueryClient();
  useEffect(() => {
    if (me === undefined) return;
    try {
      if (me.signed_in) localStorage.setItem(marker, "signed-in");
      else {
        localStorage.removeItem(marker);
        localStorage.setItem(uses, String(me.used));
      }
    } catch {
      // Without storage the other tabs learn it from the server.
    }
  }, [me]);
  useEffect(() => {
    const heard = ({ key }: StorageEvent) => {
      if (key === marker) void queries.resetQueries();
      else if (key === uses) void queries.invalidateQueries({ queryKey: meOptions().queryKey });
    };
    window.addEventListener("storage", heard);
    return () => {
      window.removeEventListener("storage", heard);
    };
  }, [queries]);
}

/** After somebody else sits here, nothing that was known holds. */
export function useArrive() {
  const queries = useQueryClient();
  return async (me: Me) => {
    queries.setQueryData(meOptions().queryKey, me);
    await queries.resetQueries({
      predicate: ({ queryKey }) => JSON.stringify(queryKey) !== JSON.stringify(meOptions().queryKey),
    });
  };
}

/** Ends the session; what was typed and not sent is forgotten too, since somebody else may sit here next. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => signOut({ throwOnError: true }),
    onSuccess: () => {
      try {
        for (const key of Object.keys(sessionStorage)) if (key.startsWith("munshi.")) sessionStorage.removeItem(key);
        localStorage.removeItem(marker);
      } catch {
        // nothing was kept
      }
      window.location.assign("/"); // nothing of this person's stays in memory
    },
  });
}
