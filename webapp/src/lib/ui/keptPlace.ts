import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { NavigationType, useLocation, useNavigate, useNavigationType } from "react-router";
import { base } from "@/lib/place";

/** How a list was left: its address after the path, and how far it was scrolled, in pixels. */
type Left = { search: string; hash: string; top: number };

const storageKey = (pathname: string) => `munshi.list.${base}${pathname}`;

/** How long a list that loads its rows late is scrolled on, in milliseconds. */
const patience = 5_000;

/**
 * Keeps a list as the person left it: whoever comes back to its path by a link, by Back or by a reload finds the same
 * filters in the address, and the same place in the list once there is content. The returned ref belongs to an element
 * inside the one that scrolls.
 */
export function useKeptPlace<E extends HTMLElement>(ready: boolean) {
  const inside = useRef<E>(null);
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  // The filters to put back on arriving; only for links that name none.
  const pushed = useNavigationType() === NavigationType.Push;
  const [filters] = useState(() => {
    const left = leftAt(pathname);
    const bare = pushed && search === "" && hash === "";
    return bare && left !== null && left.search + left.hash !== "" ? { search: left.search, hash: left.hash } : null;
  });
  const arriving = useRef(filters !== null);
  const arrive = useEffectEvent(() => {
    if (filters !== null) void navigate(filters, { replace: true, preventScrollReset: true });
  });
  useLayoutEffect(() => {
    arrive();
  }, []);

  useEffect(() => {
    const page = scrollerOf(inside.current);
    if (filters?.search === search && filters.hash === hash) arriving.current = false;
    if (!ready || page === null || arriving.current) return;
    const left = leftAt(pathname);
    const goal = left !== null && left.search === search && left.hash === hash ? left.top : 0;
    const keep = () => {
      try {
        sessionStorage.setItem(
          storageKey(pathname),
          JSON.stringify({ search, hash, top: Math.round(page.scrollTop) } satisfies Left),
        );
      } catch {
        // Without storage the list starts at its top, without filters.
      }
    };
    let stop: () => void = () => undefined;
    const settle = () => {
      stop();
      keep();
      page.addEventListener("scroll", keep, { passive: true });
    };
    if (goal > 0) page.scrollTop = goal;
    if (page.scrollTop >= goal - 1) settle();
    else stop = reach(page, goal, settle);
    return () => {
      stop();
      page.removeEventListener("scroll", keep);
    };
  }, [ready, filters, pathname, search, hash]);
  return inside;
}

/** Scrolls to a place that is there when more has loaded, unless the person scrolls before, or it takes too long. */
function reach(page: HTMLElement, top: number, done: () => void): () => void {
  const grown = new ResizeObserver(() => {
    page.scrollTop = top;
    if (page.scrollTop >= top - 1) done();
  });
  for (const child of page.children) grown.observe(child);
  const last = setTimeout(done, patience);
  const moves = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
  for (const move of moves) page.addEventListener(move, done, { passive: true });
  return () => {
    grown.disconnect();
    clearTimeout(last);
    for (const move of moves) page.removeEventListener(move, done);
  };
}

function leftAt(pathname: string): Left | null {
  try {
    const left = JSON.parse(sessionStorage.getItem(storageKey(pathname)) ?? "null") as Partial<Left> | null;
    return typeof left?.search === "string" && typeof left.hash === "string" && typeof left.top === "number"
      ? { search: left.search, hash: left.hash, top: left.top }
      : null;
  } catch {
    return null;
  }
}

/** Returns the element that scrolls around another one. */
function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement ?? null; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}
