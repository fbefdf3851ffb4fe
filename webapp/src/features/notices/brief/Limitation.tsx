import { Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { day } from "@/lib/format";
import { Basis } from "@/parts/law";
import { citation } from "@/lib/message";
import { cn } from "@/lib/ui/cn";
import { Doubts, Fold, Section } from "./parts";
import type { Limitation as Year } from "./reckoning";

const looks = {
  in_time: "text-safe",
  in_time_by_extension: "text-due",
  late: "text-overdue",
  not_known: "text-ink-soft",
};

/** Shows for each year whether the notice or order was issued in time: points for a professional, not conclusions. */
export function Limitation({ years }: { years: Year[] }) {
  const { t } = useTranslation("notices");
  if (years.length === 0) return null;
  return (
    <Section title={t("limitation.title")} icon={<Hourglass aria-hidden />}>
      <ul>
        {years.map((year) => (
          <li key={`${year.fy} ${year.section} ${year.what}`}>
            <Fold
              summary={
                <>
                  <span className="tabular-nums">{t("limitation.year", { fy: year.fy, section: year.section })}</span>{" "}
                  <span className={cn("font-medium", looks[year.verdict])}>{t(`limitation.${year.verdict}`)}</span>
                </>
              }
            >
              <div className="space-y-1">
                {year.lastDay !== null && <p>{t("limitation.lastDay", { date: day(year.lastDay) })}</p>}
                {year.extended !== null && (
                  <p>{t("limitation.extended", { date: day(year.extended), by: citation(year.by) })}</p>
                )}
                {year.litigated && <p className="text-sm text-due">{t("limitation.litigated")}</p>}
                {year.orderBy !== null && <p>{t("limitation.orderBy", { date: day(year.orderBy) })}</p>}
                {year.basis !== "" && (
                  <p className="text-sm text-ink-soft">{t("timeline.basis", { basis: year.basis })}</p>
                )}
                {year.provision !== "" && (
                  <p className="text-sm text-ink-soft">
                    <Basis basis={year.provision} shown={citation(year.provision)} />
                  </p>
                )}
                <Doubts doubts={year.uncertain} />
              </div>
            </Fold>
          </li>
        ))}
      </ul>
    </Section>
  );
}
