import { daysUntil } from "@/lib/format";

/** The days of a notice: first and last day of its periods, and its date of issue. */
export type NoticeDays = { period: { from: string; to: string; years: string } | null; issued: string | null };

/** Reads them from a conversation's facts; null if there are none. */
export function daysOfNotice(facts: unknown): NoticeDays | null {
  if (typeof facts !== "object" || facts === null) return null;
  const periods: unknown = Reflect.get(facts, "periods");
  const said = (name: string) =>
    (Array.isArray(periods) ? periods : []).flatMap((period: unknown) => text(period, name) ?? []);
  const from = said("from").sort()[0];
  const to = said("to").sort().at(-1);
  const years = said("fy");
  return {
    period:
      from === undefined || to === undefined
        ? null
        : {
            from,
            to,
            years: [...new Set([years[0] ?? "", years.at(-1) ?? ""])].filter((year) => year !== "").join(" – "),
          },
    issued: text(facts, "issue_date"),
  };
}

function text(of: unknown, name: string): string | null {
  const value: unknown = typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Returns the day for which a notice's provisions are first shown: the last of its period or, if that is in the future,
 * its date of issue; null for today.
 */
export function dayOf(days: NoticeDays | null): string | null {
  const last = days?.period?.to;
  return last !== undefined && (daysUntil(last) ?? 1) <= 0 ? last : (days?.issued ?? null);
}
