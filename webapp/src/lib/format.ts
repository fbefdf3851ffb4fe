import i18next from "i18next";
import { spoken, type Language } from "./i18n";

// Hindi texts use Latin digits too, as notices do.
const locales: Record<Language, string> = { en: "en-IN", hi: "hi-IN-u-nu-latn" };
const locale = (): string => locales[spoken()];

// Dates are Indian dates, wherever the browser is.
const zone = "Asia/Kolkata";
const isoDays = new Intl.DateTimeFormat("en-CA", { timeZone: zone });

/** Keeps formatters by language: to make one takes much longer than to use it, and long lists use thousands. */
function inLanguage<Formatter>(make: (locale: string) => Formatter): () => Formatter {
  const made = new Map<string, Formatter>();
  return () => {
    const name = locale();
    const formatter = made.get(name) ?? make(name);
    made.set(name, formatter);
    return formatter;
  };
}

const rupeesOf = (digits: number) =>
  inLanguage(
    (name) =>
      new Intl.NumberFormat(name, {
        style: "currency",
        currency: "INR",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
const wholeRupees = rupeesOf(0);
const rupeesAndPaise = rupeesOf(2);
const numbers = inLanguage((name) => new Intl.NumberFormat(name));
const months = inLanguage((name) => new Intl.DateTimeFormat(name, { month: "long", timeZone: "UTC" }));
const times = inLanguage(
  (name) => new Intl.DateTimeFormat(name, { hour: "numeric", minute: "2-digit", timeZone: zone }),
);

/** Formats rupees with lakh and crore grouping, such as ₹12,45,000; with paise only if there are any. */
export function money(rupees: number): string {
  return (Number.isInteger(rupees) ? wholeRupees : rupeesAndPaise)().format(rupees);
}

/** Formats a whole number with lakh and crore grouping, such as 1,24,500. */
export const count = (value: number): string => numbers().format(value);

/** Joins several words to a list in the current language. */
export const listed = (words: string[]): string => new Intl.ListFormat(locale()).format(words);

/** Formats an ISO date (2025-05-12) as 12 May 2025; returns the text itself if it is not a date. */
export function day(iso: string): string {
  const date = utcDay(iso);
  if (date === null) return iso;
  const month = months().format(date);
  return `${String(date.getUTCDate())} ${month} ${String(date.getUTCFullYear())}`;
}

/** Returns today in India as an ISO date. */
export const today = (now: Date = new Date()): string => isoDays.format(now);

/** Formats the day of a timestamp in India, as 3 December 2026. */
export const dayOf = (timestamp: string): string => day(today(new Date(timestamp)));

/** Formats a month (2025-05) as May 2025; returns the text itself if it is not a month. */
export const month = (iso: string): string => monthIn(iso, { month: "long", year: "numeric" });

/** Formats a month (2025-05) as May 25, for the axis of a chart. */
export const shortMonth = (iso: string): string => monthIn(iso, { month: "short", year: "2-digit" });

function monthIn(iso: string, how: Intl.DateTimeFormatOptions): string {
  const date = utcDay(`${iso}-01`);
  return date === null ? iso : new Intl.DateTimeFormat(locale(), { ...how, timeZone: "UTC" }).format(date);
}

/** Returns the days from today in India to an ISO date; negative if it has passed, null if it is not a date. */
export function daysUntil(iso: string, now: Date = new Date()): number | null {
  const date = utcDay(iso);
  const from = utcDay(today(now));
  if (date === null || from === null) return null;
  return Math.round((date.getTime() - from.getTime()) / 86_400_000);
}

/** Formats how long ago a timestamp was, such as "5 minutes ago". */
export function ago(timestamp: string, now: Date = new Date()): string {
  const seconds = Math.min(0, (new Date(timestamp).getTime() - now.getTime()) / 1000);
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["year", 31_557_600],
    ["month", 2_629_800],
    ["week", 604_800],
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ];
  for (const [unit, length] of units) {
    if (-seconds >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  // Intl's own "now" does not fit after "saved".
  return i18next.t("workspace:justNow");
}

/** Formats a timestamp in Indian time, such as 12 May 2025, 3:30 pm. */
export function moment(timestamp: string): string {
  const at = new Date(timestamp);
  return `${day(isoDays.format(at))}, ${times().format(at)}`;
}

/** Formats a size, such as 3.2 MB. */
export function fileSize(bytes: number): string {
  const format = (value: number, unit: string) =>
    new Intl.NumberFormat(locale(), { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
  // As for the server's limit, 1 MB is 1,048,576 bytes.
  if (bytes < 1024 * 1024) return format(Math.ceil(bytes / 1024), "kilobyte");
  return format(bytes / (1024 * 1024), "megabyte");
}

function utcDay(iso: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  if (match === null) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const result = new Date(Date.UTC(year, month - 1, date));
  return result.getUTCMonth() === month - 1 && result.getUTCDate() === date ? result : null;
}
