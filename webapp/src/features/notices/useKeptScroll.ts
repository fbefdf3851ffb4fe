import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

const storageKey = "munshi.scroll";

/**
 * Remembers the scroll position around an element, for the latest entry of the browser's history, and restores it once
 * there is content.
 */
export function useKeptScroll(ready: boolean) {
  const inside = useRef<HTMLElement>(null);
  const { key: place } = useLocation();
  useEffect(() => {
    const page = scrollerOf(inside.current);
    if (!ready || page === null) return;
    const top = keptAt(place);
    if (top > 0) page.scrollTop = top;
    const keep = () => {
      try {
        sessionStorage.setItem(storageKey, JSON.stringify({ place, top: Math.round(page.scrollTop) }));
      } catch {
        // Without storage the page starts at the top.
      }
    };
    page.addEventListener("scroll", keep, { passive: true });
    return () => {
      page.removeEventListener("scroll", keep);
    };
  }, [ready, place]);
  return inside;
}

/** The scroll position of a history entry, in pixels; 0 for all but the latest. */
function keptAt(place: string): number {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as { place?: unknown; top?: unknown } | null;
    return kept?.place === place && typeof kept.top === "number" ? kept.top : 0;
  } catch {
    return 0;
  }
}

/** Returns the element that scrolls around another one. */
function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement ?? null; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}
