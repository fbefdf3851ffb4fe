import { describe, expect, it } from "vitest";
import type { PageSize } from "@/lib/api";
import { gap, heightOf, pageAt, pagesBetween, placePages } from "./layout";

const size = (number: number, width: number, height: number): PageSize => ({ number, width, height, method: "layer" });

describe("the column of pages", () => {
  it("keeps each page's shape, and takes a usual one for pages that are not read", () => {
    const places = placePages(3, [size(1, 600, 800), size(2, 800, 600)], 300);
    expect(places).toEqual([
      { number: 1, top: gap, height: 400 },
      { number: 2, top: 400 + 2 * gap, height: 225 },
      { number: 3, top: 625 + 3 * gap, height: 400 },
    ]);
    expect(heightOf(places)).toBe(1025 + 4 * gap);
    expect(placePages(1, [size(1, 0, 0)], 595)[0]?.height).toBe(842); // it could not be opened
    expect(heightOf([])).toBe(0);
  });

  it("tells which pages are to be drawn, and which one is read", () => {
    const places = placePages(300, [size(1, 100, 100)], 100);
    expect(pagesBetween(places, 0, 150).map(({ number }) => number)).toEqual([1, 2]);
    expect(pagesBetween(places, 112 * 100, 112 * 101).map(({ number }) => number)).toEqual([101]);
    expect(pageAt(places, 0, 300)).toBe(1);
    expect(pageAt(places, 112 * 299, 300)).toBe(300);
    expect(pageAt([], 0, 300)).toBe(1);
  });
});
