import { useTranslation } from "react-i18next";
import { daysUntil } from "@/lib/format";
import { cn } from "@/lib/ui/cn";

// A date is near from this many days before.
const soon = 7;

/** Says how far away a date is, in a colour for its urgency. */
export function DaysLeft({ date }: { date: string }) {
  const { t } = useTranslation("notices");
  const days = daysUntil(date);
  if (days === null) return null;
  const look =
    days < 0 ? "bg-overdue-soft text-overdue" : days <= soon ? "bg-due-soft text-due" : "bg-safe-soft text-safe";
  const words =
    days < 0 ? t("facts.passed", { count: -days }) : days === 0 ? t("facts.today") : t("facts.left", { count: days });
  return (
    <span className={cn("inline-block rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap", look)}>
      {words}
    </span>
  );
}
