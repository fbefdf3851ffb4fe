import type { LawProvision } from "@/lib/api";
import type { NoticeDays } from "./notice";

/** A period in which a provision has the same wording: its first day, and its last if it has ended. */
export type Stretch = { from: string; until: string | null };

/** What to say about a provision on a day, in addition to its text. */
export type OnDay = {
  /** True if any of it was law on that day, as far as known. */
  law: "yes" | "not yet" | "ended" | "unknown";
  /** If it was not law yet: its first day; if it has ended: its last day. */
  day: string | null;
  /** Later days on which it changes, in order. */
  later: string[];
  /** Days within the notice's period on which it changed. */
  within: string[];
};

/** Returns the state of a provision on its day; `period` is that of the notice for which it is read. */
export function onDayOf(provision: LawProvision, period: NoticeDays["period"] = null): OnDay {
  const { on } = provision;
  const stretches = stretchesOf(provision);
  const starts = stretches.map(({ from }) => from).filter((from) => from !== "");
  const holds = stretches.some(({ from, until }) => from <= on && (until === null || until >= on));
  const first = stretches[0]?.from ?? null;
  const last = stretches.reduce<string | null>((end, { until }) => (until !== null && until < on ? until : end), null);
  const found = provision.digest !== undefined || (provision.text?.words ?? "") !== "" || holds;
  return {
    law: found ? "yes" : first !== null && first > on ? "not yet" : last !== null ? "ended" : "unknown",
    day: found ? null : first !== null && first > on ? first : last,
    later: starts.filter((from) => from > on && found),
    within: period === null ? [] : starts.filter((from) => from > period.from && from <= period.to),
  };
}

/** Returns the periods that the digest and the official text distinguish, oldest first, without duplicates. */
export function stretchesOf({ versions, history }: LawProvision): Stretch[] {
  const all = new Map<string, string | null>();
  for (const { from, until } of [
    ...(history ?? []).filter(({ words }) => words !== ""),
    ...(versions ?? []).filter(({ status }) => status === undefined),
  ])
    if (!all.has(from)) all.set(from, until ?? null);
  return [...all].map(([from, until]) => ({ from, until })).sort((a, b) => a.from.localeCompare(b.from));
}
