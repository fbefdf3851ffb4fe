import { useEffect, useEffectEvent } from "react";
import { forPage } from "@/lib/ui/keys";

/** Hears the keys that mean something on every page: ? for help, and / for the search that the page has. */
export function usePageKeys(onHelp: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!forPage(event)) return;
    if (event.key === "?") {
      event.preventDefault();
      onHelp();
    } else if (event.key === "/") {
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (search === null) return;
      event.preventDefault();
      search.focus();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      onKey(event);
    };
    window.addEventListener("keydown", listener);
    return () => {
      window.removeEventListener("keydown", listener);
    };
  }, []);
}
