import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Keeps how far the page around an element is scrolled with its place in the browser's history, and goes there again
 * once there is something to see.
 */
export function useKeptScroll(ready: boolean) {
  const inside = useRef<HTMLElement>(null);
  const { key } = useLocation();
  const place = `munshi.scroll.${key}`;
  useEffect(() => {
    const page = scrollerOf(inside.current);
    if (!ready || page === null) return;
    const kept = Number(sessionStorage.getItem(place) ?? 0);
    if (kept > 0) page.scrollTop = kept;
    const keep = () => {
      sessionStorage.setItem(place, String(Math.round(page.scrollTop)));
    };
    page.addEventListener("scroll", keep, { passive: true });
    return () => {
      page.removeEventListener("scroll", keep);
    };
  }, [ready, place]);
  return inside;
}

/** The element that scrolls around another one. */
function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement ?? null; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}
