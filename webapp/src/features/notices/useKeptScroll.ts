import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

const storageKey = "munshi.scroll";

/**
 * Keeps how far the page around an element is scrolled, for the latest place in the browser's history, and goes there
 * again once there is something to see.
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
        // Without storage the page begins at its top.
      }
    };
    page.addEventListener("scroll", keep, { passive: true });
    return () => {
      page.removeEventListener("scroll", keep);
    };
  }, [ready, place]);
  return inside;
}

/** How far a place was scrolled, in pixels; 0 for any but the latest. */
function keptAt(place: string): number {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as { place?: unknown; top?: unknown } | null;
    return kept?.place === place && typeof kept.top === "number" ? kept.top : 0;
  } catch {
    return 0;
  }
}

/** The element that scrolls around another one. */
function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement ?? null; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}
