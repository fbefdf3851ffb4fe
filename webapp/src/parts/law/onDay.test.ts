import { expect, test } from "vitest";
import type { LawDigest, LawProvision } from "@/lib/api";
import { dayOf, daysOfNotice } from "./notice";
import { onDayOf } from "./onDay";
import { paragraphsOf } from "./words";

const digest = (from: string, until?: string): LawDigest => ({
  number: "16(4)",
  heading: "",
  from,
  ...(until === undefined ? {} : { until }),
  english: `since ${from}`,
  hindi: "",
  numbers: [],
  source: "",
  certainty: "text",
});

const versions = [digest("2017-07-01", "2020-12-31"), digest("2021-01-01", "2022-09-30"), digest("2022-10-01")];

function provision(on: string): LawProvision {
  const now = versions.find(({ from, until }) => from <= on && (until === undefined || until >= on));
  return {
    act: { id: "cgst", short: "CGST Act", name: "", unit: "section", held: 0, chapters: [] },
    number: "16(4)",
    heading: "",
    on,
    versions,
    ...(now === undefined ? {} : { digest: now }),
    parts: [],
    history: [],
    notes: [],
    refers: [],
    cited_by: [],
    later: [],
    differ: [],
  };
}

test("an older version says that newer ones have come, and a change within the period is named", () => {
  expect(onDayOf(provision("2020-03-31"))).toEqual({
    law: "yes",
    day: null,
    later: ["2021-01-01", "2022-10-01"],
    within: [],
  });
  const year = { from: "2020-04-01", to: "2021-03-31", years: "2020-21" };
  expect(onDayOf(provision("2021-03-31"), year).within).toEqual(["2021-01-01"]);
  expect(onDayOf(provision("2026-11-23")).later).toEqual([]);
});

test("what was not law on the day says from when it is", () => {
  expect(onDayOf(provision("2017-06-30"))).toEqual({ law: "not yet", day: "2017-07-01", later: [], within: [] });
});

test("a notice is read as on the last day of its period, and where that is to come as on its own", () => {
  const facts = (to: string) => ({ periods: [{ fy: "2019-20", from: "2019-04-01", to }], issue_date: "2024-05-12" });
  const days = daysOfNotice(facts("2020-03-31"));
  expect(days).toEqual({
    period: { from: "2019-04-01", to: "2020-03-31", years: "2019-20" },
    issued: "2024-05-12",
  });
  expect(dayOf(days)).toBe("2020-03-31");
  expect(dayOf(daysOfNotice(facts("2999-03-31")))).toBe("2024-05-12");
  expect(dayOf(daysOfNotice({ periods: null }))).toBeNull();
  expect(daysOfNotice(null)).toBeNull();
});

test("official words are cut at their amendments and lose nothing, within and across paragraphs", () => {
  const words = "One two three.\nFour five.";
  const mark = (start: number, end: number) => ({ start, end, kind: "inserted" as const });
  const cut = paragraphsOf(words, [mark(4, 7), mark(8, 19), mark(25, 25)]);
  expect(cut.map((pieces) => pieces.map(({ text }) => text).join("")).join("\n")).toBe(words);
  expect(cut).toEqual([
    [
      { text: "One ", mark: null },
      { text: "two", mark: 0 },
      { text: " ", mark: null },
      { text: "three.", mark: 1 },
    ],
    [
      { text: "Four", mark: 1 },
      { text: " five.", mark: null },
      { text: "", mark: 2 },
    ],
  ]);
  expect(paragraphsOf("where he carries it by hand", [mark(5, 27), { ...mark(20, 20), kind: "omitted" }])).toEqual([
    [
      { text: "where", mark: null },
      { text: " he carries it ", mark: 0 },
      { text: "", mark: 1 },
      { text: "by hand", mark: 0 },
    ],
  ]);
});
