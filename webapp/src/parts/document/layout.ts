import type { PageSize } from "@/lib/api";

/** Where a page stands in the column of pages, in pixels. */
export type Place = { number: number; top: number; height: number };

/** Between two pages, in pixels. */
export const gap = 12;

// A4 in points, for pages that were not read yet.
const a4 = { width: 595, height: 842 };

/** Places all pages of a document one below the other, each as wide as the column. */
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

/** The height of the whole column. */
export const heightOf = (places: Place[]): number => {
  const last = places.at(-1);
  return last === undefined ? 0 : last.top + last.height + gap;
};

/** The pages that have part in what lies between two heights. */
export function pagesBetween(places: Place[], from: number, to: number): Place[] {
  return places.filter(({ top, height }) => top + height > from && top < to);
}

/** The page that a person reads who has scrolled so far: the one that stands a third down the frame. */
export function pageAt(places: Place[], scrolled: number, frame: number): number {
  return places.findLast(({ top }) => top <= scrolled + frame / 3)?.number ?? 1;
}
