import { useRef, useState, type RefObject } from "react";

/** The number of the current place, counted from 1, and how many there are. */
export type At = { number: number; of: number };

/**
 * Moves from one place to the next, and after the last to the first again; the current one has the attribute data-now.
 */
export function useRounds(area: RefObject<HTMLElement | null>, selector: string): { at: At | null; next: () => void } {
  const last = useRef<Element | null>(null);
  const [at, setAt] = useState<At | null>(null);
  const next = () => {
    const places = [...(area.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const index =
      (last.current === null ? 0 : places.indexOf(last.current as HTMLElement) + 1) % Math.max(places.length, 1);
    const place = places[index];
    if (place === undefined) return;
    last.current?.removeAttribute("data-now");
    place.setAttribute("data-now", "");
    place.scrollIntoView({ block: "center" });
    last.current = place;
    setAt({ number: index + 1, of: places.length });
  };
  return { at, next };
}
