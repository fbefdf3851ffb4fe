import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { meOptions, signOut, type Me } from "@/lib/api";

/** Returns who is using the app and what they may use; undefined until this is known. */
export function useMe(): Me | undefined {
  return useQuery(meOptions()).data;
}

const marker = "munshi.session";
const uses = "munshi.uses";

/**
 * Stores in the browser, for other tabs, whether someone is signed in and how many free uses a visitor has had. This is
 * only for display: the server counts, and the session is in a cookie that scripts cannot read.
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
      // Without storage, other tabs get this from the server.
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

/** Returns the function to call after someone has signed in: it drops all data of the previous user. */
export function useArrive() {
  const queries = useQueryClient();
  return async (me: Me) => {
    queries.setQueryData(meOptions().queryKey, me);
    await queries.resetQueries({
      predicate: ({ queryKey }) => JSON.stringify(queryKey) !== JSON.stringify(meOptions().queryKey),
    });
  };
}

/** Ends the session. It also deletes text that was typed but not sent, since somebody else may use the browser next. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => signOut({ throwOnError: true }),
    onSuccess: () => {
      try {
        for (const key of Object.keys(sessionStorage)) if (key.startsWith("munshi.")) sessionStorage.removeItem(key);
        localStorage.removeItem(marker);
      } catch {
        // nothing was stored
      }
      window.location.assign("/"); // reloads the page, so that no data of this person stays in memory
    },
  });
}
