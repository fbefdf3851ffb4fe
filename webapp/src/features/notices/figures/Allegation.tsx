import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { FigureAllegation, FiguresShown } from "@/lib/api";
import { day, listed, month } from "@/lib/format";
import { say } from "@/lib/message";
import { Skeleton } from "@/lib/ui/skeleton";
import { Table } from "@/lib/ui/table";
import { rupees, said, span, sum } from "./words";

const Months = lazy(async () => ({ default: (await import("./Months")).Months }));

type Props = { allegation: FigureAllegation; names: FiguresShown["names"]; open: boolean };

/** A comparison: unfolded if the notice alleges it, else folded behind its result. */
export function Allegation({ allegation, names, open }: Props) {
  if (open)
    return (
      <section className="mt-8">
        <h2 className="font-serif text-lg font-semibold">{say(allegation.name)}</h2>
        <Comparison allegation={allegation} names={names} />
      </section>
    );
  return (
    <details className="mt-3 border-t border-rule pt-3">
      <summary className="cursor-pointer">
        <h2 className="inline font-serif text-lg font-semibold">{say(allegation.name)}</h2>
        <span className="block pl-5 text-ink-soft">
          <Result allegation={allegation} />
        </span>
      </summary>
      <div className="pl-5">
        <Comparison allegation={allegation} names={names} />
      </div>
    </details>
  );
}

/** The result of a comparison in one sentence. */
function Result({ allegation: a }: { allegation: FigureAllegation }) {
  const { t } = useTranslation("figures");
  const [total, explained, remains] = [sum(a.files), sum(a.explained), sum(a.remains)];
  if ((a.months ?? []).length === 0) return t("notCompared");
  if (total <= 0) return t("noExcess");
  if (a.differs) return t("differs", { total: said(total, t) });
  return (
    <>
      <strong>{t("explained", { explained: said(explained, t), total: said(total, t) })}</strong>{" "}
      {remains > 0 && t("remains", { remains: said(remains, t) })}
    </>
  );
}

/**
 * The allegation and what the files say: in one sentence, by head and class, by month, and what would have to be paid.
 */
function Comparison({ allegation: a, names }: Omit<Props, "open">) {
  const { t } = useTranslation("figures");
  const shares = a.shares ?? [];
  const lines = [a.notice, a.first, a.second, a.reversed, ...shares.map(({ tax }) => tax)];
  const heads = a.value ? [] : ["IGST", "CGST", "SGST", "Cess"].slice(0, lines.some((tax) => tax?.[3]) ? 4 : 3);
  const line = (key: string, label: string, tax: number[] | null) => ({
    key,
    cells: [label, ...heads.map((_, head) => rupees(tax?.[head] ?? 0)), rupees(sum(tax))],
  });
  const strong = (key: string, label: string, tax: number[] | null) => ({
    key,
    cells: line(key, label, tax).cells.map((cell, index) => <strong key={index}>{cell}</strong>),
  });
  const classes = (explains: boolean) =>
    shares
      .filter((share) => share.explains === explains && share.class !== "notice_differs")
      .map((share) => line(share.class, say(names[share.class]), share.tax));
  const differs = shares.find((share) => share.class === "notice_differs");
  const missing = a.missing ?? [];
  return (
    <>
      <p className="text-sm text-ink-soft">
        {[
          span(a.from, a.to),
          (a.paragraphs ?? []).length > 0 ? t("paragraphs", { numbers: (a.paragraphs ?? []).join(", ") }) : "",
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </p>
      <p className="mt-3 text-lg">
        <Result allegation={a} />
      </p>
      <h3 className="mt-5 font-medium">{t("table.title")}</h3>
      <Table
        stacked
        amounts={[1, 2, 3, 4, 5]}
        label={t("table.title")}
        head={[t("table.line"), ...heads, a.value ? t("table.value") : t("table.total")]}
        rows={[
          ...(a.notice === null ? [] : [strong("notice", t("table.notice"), a.notice)]),
          line("first", say(a.first_name), a.first),
          line("second", say(a.second_name), a.second),
          strong("files", t("table.files"), a.files),
          ...(differs === undefined ? [] : [line("differs", say(names.notice_differs), differs.tax)]),
          ...classes(true),
          strong("explained", t("table.explains"), a.explained),
          ...classes(false),
          strong("remains", t("table.rest"), a.remains),
          ...(sum(a.reversed) === 0 ? [] : [line("reversed", t("table.reversed"), a.reversed)]),
        ]}
      />
      {missing.length > 0 && (
        <p className="mt-2 text-sm text-due">
          {t("missing", { months: listed(missing.map(month)) })} {a.books ? t("missingBooks") : t("missingNot")}
        </p>
      )}
      {!a.books && a.what === "credit_claimed" && <p className="mt-2 text-sm text-due">{t("noBooks")}</p>}
      {(a.notes ?? []).map((note) => (
        <p key={note.code ?? note.en} className="mt-2 max-w-prose text-sm text-ink-soft">
          {say(note)}
        </p>
      ))}
      {(a.months ?? []).length > 1 && (
        <>
          <h3 className="mt-6 font-medium">{t("months.title")}</h3>
          <Suspense fallback={<Skeleton className="mt-2 h-60" />}>
            <Months months={a.months ?? []} />
          </Suspense>
        </>
      )}
      <Payment allegation={a} />
    </>
  );
}

/** The DRC-03 for the remaining difference, if it were admitted. */
function Payment({ allegation: a }: { allegation: FigureAllegation }) {
  const { t } = useTranslation("figures");
  const dues = a.pay ?? [];
  if (dues.length === 0) return null;
  const all = dues.reduce((of, { tax, interest }) => ({ tax: of.tax + tax, interest: of.interest + interest }), {
    tax: 0,
    interest: 0,
  });
  return (
    <>
      <h3 className="mt-6 font-medium">{t("pay.title")}</h3>
      <Table
        stacked
        amounts={[1, 2, 3]}
        label={t("pay.title")}
        head={[t("pay.head"), t("pay.tax"), t("pay.interest", { date: day(a.interest_to) }), t("pay.sum")]}
        rows={[...dues, { head: t("table.total"), ...all }].map(({ head, tax, interest }) => ({
          key: head,
          cells: [head, rupees(tax), rupees(interest), rupees(tax + interest)],
        }))}
      />
      <p className="mt-2 text-sm text-ink-soft">
        {a.pay_by !== null && t("pay.by", { date: day(a.pay_by) })}{" "}
        {a.what === "credit_claimed" && t(a.ledger ? "pay.ledger" : "pay.noLedger")}{" "}
        {sum(a.unused) > 0 && t("pay.unused", { amount: rupees(sum(a.unused)) })}{" "}
        {all.tax > sum(a.remains) && t("pay.heads")} {t("pay.decide")}
      </p>
    </>
  );
}
