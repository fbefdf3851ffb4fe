import type { PageSize } from "@/lib/api";

/** The position of a page in the column of pages, in pixels. */
export type Place = { number: number; top: number; height: number };

/** The gap between two pages, in pixels. */
export const gap = 12;

// A4 in points, for pages that have not been read yet.
const a4 = { width: 595, height: 842 };

/** Positions all pages of a document below each other, each as wide as the column. */
export function placePages(count: number, sizes: PageSize[], width: number): Place[] {
  const known = new Map(sizes.filter((size) => size.width > 0 && size.height > 0).map((size) => [size.number, size]));
  const usual = known.values().next().value ?? a4;
  let top = gap;
  return Array.from({ length: count }, (_, index) => {
    const size = known.get(index + 1) ?? usual;
    const height = Math.round((width * size.height) / size.width);
    const place = { number: index + 1, top, height };
    top += height + gap;
    return place;
  });
}

/** Returns the height of the whole column. */
export const heightOf = (places: Place[]): number => {
  const last = places.at(-1);
  return last === undefined ? 0 : last.top + last.height + gap;
};

/** Returns the pages that are visible between two heights. */
export function pagesBetween(places: Place[], from: number, to: number): Place[] {
  return places.filter(({ top, height }) => top + height > from && top < to);
}

/** Returns the page that is being read at a scroll position: the one a third down the frame. */
export function pageAt(places: Place[], scrolled: number, frame: number): number {
  return places.findLast(({ top }) => top <= scrolled + frame / 3)?.number ?? 1;
}
