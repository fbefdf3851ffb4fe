import { useTranslation } from "react-i18next";
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { FigureMonth } from "@/lib/api";
import { month, shortMonth } from "@/lib/format";
import { Table } from "@/lib/ui/table";
import { rupees, said } from "./words";

const ink = "var(--color-ink-soft)";

/** The months as bars, and as a table that screen readers read instead. */
export function Months({ months }: { months: FigureMonth[] }) {
  const { t } = useTranslation("figures");
  const name = { explained: t("months.explained"), remains: t("months.remains") };
  return (
    <>
      <div aria-hidden className="mt-2 h-64 text-sm" data-testid="months">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={months}
            stackOffset="sign"
            margin={{ top: 8, right: 4, bottom: 0, left: 4 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--color-rule)" />
            <XAxis dataKey="period" tickFormatter={shortMonth} stroke={ink} tick={{ fill: ink }} minTickGap={8} />
            <YAxis width={84} tickFormatter={(paise: number) => said(paise, t)} stroke={ink} tick={{ fill: ink }} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: "var(--color-accent-soft)" }}
              contentStyle={{ background: "var(--color-sheet)", borderColor: "var(--color-rule)" }}
              labelFormatter={(period) => (typeof period === "string" ? month(period) : "")}
              formatter={(paise, key) => [rupees(Number(paise)), name[key as "explained"]]}
            />
            <Legend formatter={(key) => <span className="text-ink">{name[key as "explained"]}</span>} />
            <ReferenceLine y={0} stroke={ink} />
            <Bar dataKey="explained" stackId="all" fill="var(--color-safe)" isAnimationActive={false} />
            <Bar dataKey="remains" stackId="all" fill="var(--color-due)" isAnimationActive={false} />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <details className="mt-2">
        <summary className="cursor-pointer text-sm text-accent">{t("months.show")}</summary>
        <Table
          amounts={[1, 2, 3]}
          label={t("months.title")}
          head={[t("months.month"), t("months.difference"), name.explained, name.remains]}
          rows={months.map(({ period, explained, remains }) => ({
            key: period,
            cells: [month(period), rupees(explained + remains), rupees(explained), rupees(remains)],
          }))}
        />
      </details>
    </>
  );
}
