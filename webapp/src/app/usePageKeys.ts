import { useEffect, useEffectEvent } from "react";
import { forPage } from "@/lib/ui/keys";

/** Handles the keys that work on every page: ? for help, and / for the page's search field. */
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
