import { Calculator } from "lucide-react";
import { useTranslation } from "react-i18next";
import { day, money } from "@/lib/format";
import { Basis } from "@/parts/law";
import { citation } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { Doubts, Fold, Origin, Section, useShared } from "./parts";
import type { Sheet, SheetRow } from "./reckoning";

/** Interest, penalty and pre-deposit, each as a table with its computation. */
export function Money({ sheets }: { sheets: Sheet[] }) {
  const { t } = useTranslation("notices");
  if (sheets.length === 0) return null;
  return (
    <Section title={t("money.title")} icon={<Calculator aria-hidden />}>
      <Portions />
      {sheets.map((sheet) => (
        <Fold
          key={`${sheet.code} ${sheet.title}`}
          summary={
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              {sheet.title}
              {sheet.paise !== null && <span className="tabular-nums">{money(sheet.paise / 100)}</span>}
            </span>
          }
        >
          <table className="w-full text-sm tabular-nums">
            <tbody>
              {sheet.rows.map((row, index) => (
                <Line
                  key={index}
                  row={row}
                  same={
                    index > 0 &&
                    sheet.rows[index - 1]?.note === row.note &&
                    sheet.rows[index - 1]?.provision === row.provision
                  }
                />
              ))}
            </tbody>
          </table>
          {sheet.rounding !== "" && <p className="mt-2 text-sm text-ink-soft">{sheet.rounding}</p>}
          <Doubts doubts={sheet.uncertain} />
        </Fold>
      ))}
    </Section>
  );
}

/** Asks since when which part of the tax has been unpaid; only the person knows that. */
function Portions() {
  const { t } = useTranslation("notices");
  const { facts, correct } = useShared();
  if (facts.portions.length > 0) {
    return (
      <p className="flex flex-wrap items-baseline gap-x-2 text-[0.9375rem]">
        {t("portions.given", { count: facts.portions.length })}
        <Origin field="portions" />
      </p>
    );
  }
  if (correct === null) return null;
  return (
    <Button
      look="link"
      size="bare"
      className="text-sm print:hidden"
      onClick={() => {
        correct("portions");
      }}
    >
      {t("portions.give")}
    </Button>
  );
}

/** A row of a table; it leaves out what is the same as in the row above. */
function Line({ row, same }: { row: SheetRow; same: boolean }) {
  const { t } = useTranslation("notices");
  const worked = [
    row.base !== null && t("money.base", { amount: money(row.base / 100) }),
    row.rate,
    row.from !== null &&
      row.to !== null &&
      t("money.days", { from: day(row.from), to: day(row.to), count: row.days ?? 0 }),
  ].filter((part) => part !== false && part !== "");
  return (
    <tr className="border-b border-rule align-top last:border-0">
      <th scope="row" className="py-1.5 pr-3 text-left font-normal">
        <span className="text-[0.9375rem]">{row.label}</span>
        {worked.length > 0 && <span className="block text-ink-soft">{worked.join(" · ")}</span>}
        {row.missing.length > 0 && (
          <span className="block text-due">{t("money.missing", { what: row.missing.join(", ") })}</span>
        )}
        {!same && row.note !== "" && <span className="block text-ink-soft">{row.note}</span>}
        {!same && row.provision !== "" && (
          <span className="block text-ink-soft">
            <Basis basis={row.provision} shown={citation(row.provision)} />
          </span>
        )}
      </th>
      <td className="py-1.5 text-right whitespace-nowrap">
        {row.paise === null ? t("money.unknown") : money(row.paise / 100)}
      </td>
    </tr>
  );
}
