import { useTranslation } from "react-i18next";
import { day, daysUntil } from "@/lib/format";
import type { Deadline } from "./reckoning";

const row = 52;

/** The dates of a notice as a vertical timeline, which works on a phone and on paper. */
export function Days({ deadlines }: { deadlines: Deadline[] }) {
  const { t } = useTranslation("notices");
  const dated = deadlines.filter((d): d is Deadline & { date: string } => d.date !== null);
  if (dated.length === 0) return <p>{t("choices.noDays")}</p>;
  const sorted = [...dated].sort((a, b) => a.date.localeCompare(b.date));
  const height = sorted.length * row;
  return (
    <svg
      viewBox={`0 0 360 ${String(height)}`}
      className="w-full max-w-md"
      role="img"
      aria-label={t("choices.picture", { days: sorted.map((d) => `${day(d.date)}: ${d.what}`).join("; ") })}
    >
      <line x1="12" y1={row / 2} x2="12" y2={height - row / 2} className="stroke-rule" strokeWidth="2" />
      {sorted.map((d, at) => {
        const y = at * row + row / 2;
        const left = daysUntil(d.date);
        const past = left !== null && left < 0;
        return (
          <g key={d.code + d.date}>
            <circle
              cx="12"
              cy={y}
              r="6"
              className={past ? "fill-ink-soft" : left !== null && left < 8 ? "fill-due" : "fill-safe"}
            />
            <text x="28" y={y - 3} className="fill-ink text-[13px] font-medium tabular-nums">
              {day(d.date)}
              {past ? ` (${t("choices.past")})` : ""}
            </text>
            <text x="28" y={y + 14} className="fill-ink-soft text-[12px]">
              {t(`choices.short.${shortOf(d.code)}`)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const shorts = [
  "reply",
  "hearing",
  "pay_and_close",
  "pay_reduced",
  "comply",
  "appeal",
  "appeal_condonable",
  "rectify",
  "recovery",
  "order_due",
] as const;

// A code without its own text is still shown as a date.
const shortOf = (code: string): (typeof shorts)[number] | "other" => shorts.find((known) => known === code) ?? "other";
