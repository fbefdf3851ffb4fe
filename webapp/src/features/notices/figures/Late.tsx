import { useTranslation } from "react-i18next";
import type { FigureLate } from "@/lib/api";
import { day, month } from "@/lib/format";
import { say } from "@/lib/message";
import { Table } from "@/lib/ui/table";
import { rupees, said, span } from "./words";

/** Interest on returns filed late by the cash ledger: return by return, and against what the notice asks for. */
export function Late({ late }: { late: FigureLate }) {
  const { t } = useTranslation("figures");
  const returns = late.returns ?? [];
  const paragraphs = late.paragraphs ?? [];
  const names = ["IGST", "CGST", "SGST", "Cess"];
  const heads = [0, 1, 2, 3].filter((head) => (late.cash?.[head] ?? 0) !== 0);
  const columns = [4, 5, 6, 7, 8, 9];
  const line = (key: string, label: string, paise: number) => ({ key, cells: [label, rupees(paise)] });
  return (
    <section className="mt-8">
      <h2 className="font-serif text-lg font-semibold">{t("late.title")}</h2>
      <p className="text-sm text-ink-soft">
        {[span(late.from, late.to), paragraphs.length > 0 ? t("paragraphs", { numbers: paragraphs.join(", ") }) : ""]
          .filter((part) => part !== "")
          .join(" · ")}
      </p>
      <p className="mt-3 text-lg">
        <strong>
          {late.notice === null
            ? t("late.due", { due: said(late.due, t) })
            : t("late.dueOf", { due: said(late.due, t), notice: said(late.notice, t) })}
        </strong>
      </p>
      {returns.length === 0 ? (
        <p className="mt-3">{t("late.none")}</p>
      ) : (
        <>
          <h3 className="mt-5 font-medium">{t("late.returns")}</h3>
          <Table
            stacked
            amounts={[3, ...columns.slice(0, heads.length + 2)]}
            label={t("late.returns")}
            head={[
              t("late.return"),
              t("late.dueOn"),
              t("late.paidOn"),
              t("late.days"),
              ...heads.map((head) => t("late.cash", { head: names[head] })),
              t("late.lay"),
              t("late.interest"),
            ]}
            rows={[
              ...returns.map((one, index) => ({
                key: String(index),
                cells: [
                  month(one.period),
                  day(one.due),
                  day(one.paid),
                  one.days,
                  ...heads.map((head) => rupees(one.cash?.[head] ?? 0)),
                  rupees(one.lay),
                  rupees(one.interest),
                ],
              })),
              {
                key: "total",
                cells: [
                  t("table.total"),
                  "",
                  "",
                  "",
                  ...heads.map((head) => rupees(late.cash?.[head] ?? 0)),
                  rupees(late.lay),
                  rupees(late.due),
                ].map((cell, index) => <strong key={index}>{cell}</strong>),
              },
            ]}
          />
        </>
      )}
      <h3 className="mt-6 font-medium">{t("late.made")}</h3>
      <Table
        amounts={[1]}
        label={t("late.made")}
        head={[t("table.line"), t("late.interest")]}
        rows={[
          ...(late.notice === null ? [] : [line("notice", t("late.notice"), late.notice)]),
          line("due", t("late.byLedgers"), late.due),
          line("lay", t("late.onLay"), late.on_lay),
          ...(late.on_credit === null ? [] : [line("credit", t("late.onCredit"), late.on_credit)]),
          ...(late.other === null ? [] : [line("other", t("late.other"), late.other)]),
        ]}
      />
      {(late.doubts ?? []).map((doubt) => (
        <p key={doubt.code ?? doubt.en} className="mt-2 max-w-prose text-sm text-ink-soft">
          {say(doubt)}
        </p>
      ))}
    </section>
  );
}
