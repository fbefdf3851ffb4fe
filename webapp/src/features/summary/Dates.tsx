import { useQuery } from "@tanstack/react-query";
import { CalendarPlus } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { messageCalendarUrl, messageDatesOptions, type ListedDate, type Message } from "@/lib/api";
import { EvidenceLink, type Evidence } from "@/parts/document";
import { day, daysUntil } from "@/lib/format";
import { spoken } from "@/lib/i18n";
import { Button } from "@/lib/ui/button";

type Props = { conversation: string; message: Message };

/** The dates in a summary's table, to select for a calendar; nothing if there are none. */
export function Dates({ conversation, message }: Props) {
  const { data } = useQuery(messageDatesOptions(conversation, message.id));
  const dates = data?.dates ?? [];
  return dates.length === 0 ? null : <Picked conversation={conversation} message={message} dates={dates} />;
}

/**
 * The place of a date of the table in the document: as found by the check, or else as the table says. Undefined if it
 * was not found.
 */
function placeOf({ date, page }: ListedDate, { checks }: Message): Evidence | null | undefined {
  const looked = checks?.filter(({ code, quote }) => code === "figure" && quote === day(date)) ?? [];
  const found = looked.find((check) => check.page !== undefined);
  if (found?.page !== undefined) return { page: found.page, quote: found.words ?? null };
  if (looked.length > 0) return undefined;
  return page > 0 ? { page, quote: null } : null;
}

const hasPassed = ({ date }: ListedDate) => (daysUntil(date) ?? 0) < 0;

function Picked({ conversation, message, dates }: Props & { dates: ListedDate[] }) {
  const { t } = useTranslation("summary");
  const id = useId();
  const [picked, pick] = useState(() => dates.filter((date) => !hasPassed(date)).map(({ number }) => number));
  const all = picked.length === dates.length;
  return (
    <fieldset className="min-w-0 rounded-xl border border-rule bg-sheet px-4 pt-3 pb-4">
      <legend className="sr-only">{t("calendar.title")}</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 aria-hidden className="font-serif text-lg font-semibold">
          {t("calendar.title")}
        </h2>
        <Button
          look="link"
          size="small"
          className="px-0"
          onClick={() => {
            pick(all ? [] : dates.map(({ number }) => number));
          }}
        >
          {t(all ? "calendar.none" : "calendar.all")}
        </Button>
      </div>
      <p className="text-sm text-ink-soft">{t("calendar.hint")}</p>
      <ul className="mt-2 divide-y divide-rule">
        {dates.map((date) => {
          const { number, what } = date;
          const place = placeOf(date, message);
          return (
            <li
              key={number}
              className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-start gap-x-3 py-2 text-[0.9375rem]"
            >
              <input
                type="checkbox"
                id={`${id}-${String(number)}`}
                checked={picked.includes(number)}
                className="mt-0.5 size-5 accent-accent"
                onChange={({ target }) => {
                  pick(target.checked ? [...picked, number] : picked.filter((other) => other !== number));
                }}
              />
              <label
                htmlFor={`${id}-${String(number)}`}
                className="cursor-pointer sm:grid sm:grid-cols-[11.5rem_minmax(0,1fr)] sm:gap-x-3"
              >
                <span className="block font-medium tabular-nums">
                  {day(date.date)}
                  {hasPassed(date) && <span className="font-normal text-ink-soft"> · {t("calendar.passed")}</span>}
                </span>
                <span className="block">{what}</span>
              </label>
              {place !== null && (
                <span className="text-sm whitespace-nowrap text-ink-soft">
                  {place === undefined ? (
                    t("calendar.notFound")
                  ) : (
                    <EvidenceLink evidence={place}>{t("calendar.page", { page: place.page })}</EvidenceLink>
                  )}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <div className="mt-3">
        {picked.length === 0 ? (
          <Button look="primary" disabled>
            <CalendarPlus aria-hidden />
            {t("calendar.add", { count: 0 })}
          </Button>
        ) : (
          <Button look="primary" asChild>
            <a
              href={messageCalendarUrl(
                conversation,
                message.id,
                picked.toSorted((a, b) => a - b),
                spoken(),
              )}
              download
            >
              <CalendarPlus aria-hidden />
              {t("calendar.add", { count: picked.length })}
            </a>
          </Button>
        )}
      </div>
    </fieldset>
  );
}
