import { useQuery } from "@tanstack/react-query";
import { BellRing, CircleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { remindersOptions, seeReminder, type Reminder } from "@/lib/api";
import { day } from "@/lib/format";
import { useOptimistic } from "@/lib/optimistic";
import { Button } from "@/lib/ui/button";
import { DaysLeft } from "@/parts/deadline";
import { home, useWords } from "./words";

// More than these would cover what the person is doing; the list of notices shows them all.
const most = 3;

const wordsOf = ({ what, settled }: Reminder) =>
  what === "hearing" ? "reminders.hearing" : settled ? "reminders.replyBy" : "reminders.replyPerhaps";

/** Shows reply dates that are near, until the person dismisses them. */
export function Reminders() {
  const { reminders, unsettled: open = 0 } = useQuery(remindersOptions()).data ?? {};
  const near = reminders ?? [];
  // The list of notices shows these first, and the page of a notice shows what is open.
  const unsettled = useLocation().pathname.startsWith(home) ? 0 : open;
  // The texts about notices are loaded only if there is one.
  return near.length > 0 || unsettled > 0 ? <Near reminders={near} unsettled={unsettled} /> : null;
}

function Near({ reminders, unsettled }: { reminders: Reminder[]; unsettled: number }) {
  const { t } = useTranslation("notices");
  const words = useWords();
  const { queryKey } = remindersOptions();
  const see = useOptimistic({
    keys: [queryKey],
    show: (queries, seen: string) => {
      queries.setQueryData(
        queryKey,
        (old) => old && { ...old, reminders: old.reminders?.filter(({ id }) => id !== seen) ?? null },
      );
    },
    save: (id) => seeReminder({ path: { id }, keepalive: true, throwOnError: true }),
    failed: t("correct.failed"),
  });
  return (
    <aside
      aria-label={t("reminders.title")}
      className="border-b border-rule bg-due-soft/60 px-4 py-1 text-[0.9375rem] lg:px-6 print:hidden"
    >
      {unsettled > 0 && (
        <p className="flex items-center gap-3 py-1">
          <CircleAlert aria-hidden className="size-4 shrink-0 text-due" />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
            {t("reminders.unsettled", { count: unsettled })}
            <Link to={home} className="rounded font-medium text-accent underline underline-offset-2">
              {t("reminders.settle")}
            </Link>
          </span>
        </p>
      )}
      <ul>
        {reminders.slice(0, most).map((reminder) => (
          <li key={reminder.id} className="flex items-center gap-3 py-1">
            <BellRing aria-hidden className="size-4 shrink-0 text-due" />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
              <span>{t(wordsOf(reminder), { date: day(reminder.reply_by) })}</span>
              <Link
                to={`${home}/${reminder.conversation_id}`}
                className="rounded font-medium text-accent underline underline-offset-2"
              >
                {reminder.title || words.untitled}
              </Link>
              <DaysLeft date={reminder.reply_by} />
            </span>
            <Button
              look="quiet"
              size="icon-small"
              aria-label={t("reminders.aside", { name: reminder.title })}
              onClick={() => {
                see.mutate(reminder.id);
              }}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      {reminders.length > most && (
        <Link to={home} className="rounded text-sm text-accent underline underline-offset-2">
          {t("reminders.more", { count: reminders.length - most })}
        </Link>
      )}
    </aside>
  );
}
