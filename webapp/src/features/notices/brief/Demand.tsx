import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { money } from "@/lib/format";
import { cn } from "@/lib/ui/cn";
import { parts, sumOf, type Demand as Claim } from "./facts";
import { Origin } from "./parts";

// From strongest to faintest; the labels next to them say what is what.
const shades = {
  tax: "bg-accent",
  interest: "bg-accent/60",
  penalty: "bg-accent/35",
  fee: "bg-accent/20",
  other: "bg-rule-strong/50",
};

/** The demand by head of tax and kind of amount. */
export function Demand({ demand }: { demand: Claim }) {
  const { t } = useTranslation("notices");
  const made = parts
    .map((part) => ({ part, sum: demand.rows.reduce((sum, row) => sum + row[part], 0) }))
    .filter(({ sum }) => sum > 0);
  const all = made.reduce((sum, { sum: one }) => sum + one, 0);
  return (
    <div className="break-inside-avoid-page">
      <table className="w-full text-[0.9375rem] tabular-nums">
        <caption className="text-left text-sm font-medium text-ink-soft">{t("facts.demand")}</caption>
        <tbody>
          {demand.rows.map((row) => (
            <tr key={row.head} className="border-b border-rule align-top">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                {row.head}
                <span className="block text-sm text-ink-soft">
                  {parts
                    .filter((part) => row[part] !== 0)
                    .map((part) => t(`facts.part.${part}`, { amount: money(row[part]) }))
                    .join(" · ")}
                </span>
              </th>
              <td className="py-1.5 text-right whitespace-nowrap">{money(sumOf(row))}</td>
            </tr>
          ))}
          {demand.total !== null && (
            <tr>
              <th scope="row" className="pt-2 text-left font-semibold">
                {t("facts.total")}
              </th>
              <td className="pt-2 text-right font-semibold whitespace-nowrap">{money(demand.total)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {all > 0 && (
        <div className="mt-3">
          <div aria-hidden className="flex h-2.5 gap-px overflow-hidden rounded-full print:border print:border-rule">
            {made.map(({ part, sum }) => (
              <span key={part} className={shades[part]} style={{ width: `${String((sum / all) * 100)}%` }} />
            ))}
          </div>
          <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-ink-soft">
            {made.map(({ part, sum }) => (
              <Fragment key={part}>
                <span className="inline-flex items-center gap-1.5">
                  <span aria-hidden className={cn("size-2.5 rounded-full", shades[part])} />
                  {t("facts.share", { part: t(`facts.partName.${part}`), percent: Math.round((sum / all) * 100) })}
                </span>
              </Fragment>
            ))}
          </p>
        </div>
      )}
      {demand.leftOpen !== undefined && (
        <p className="mt-1.5 text-sm text-ink-soft">
          {t("facts.leftOpen", { parts: demand.leftOpen.map((part) => t(`facts.partName.${part}`)).join(", ") })}
        </p>
      )}
      <Origin field="demand" className="mt-1" />
    </div>
  );
}
