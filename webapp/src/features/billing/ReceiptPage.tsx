import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { receiptOptions, sentenceOf, type Receipt } from "@/lib/api";
import { dayOf, money } from "@/lib/format";
import { say } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { printAs } from "@/lib/ui/paper";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";
import { TestMode } from "./TestMode";

/** A receipt or tax invoice, for the screen and for printing. */
export function ReceiptPage() {
  const { t } = useTranslation("billing");
  const { order = "" } = useParams();
  const { data, error } = useQuery(receiptOptions(order));
  usePageTitle(t(data?.invoice === true ? "paper.invoice" : "paper.receipt"));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6 lg:px-8">
      <div className="mx-auto max-w-2xl">
        <div className="mb-4 flex flex-wrap justify-between gap-2 print:hidden">
          <Button look="quiet" size="small" className="-ml-2 px-2" asChild>
            <Link to="/app">
              <ChevronLeft aria-hidden />
              {t("paper.back")}
            </Link>
          </Button>
          {data !== undefined && (
            <Button
              size="small"
              onClick={() => {
                printAs(t(data.invoice ? "paper.invoice" : "paper.receipt"), data.number);
              }}
            >
              <Printer aria-hidden />
              {t("paper.print")}
            </Button>
          )}
        </div>
        {data === undefined ? (
          error === null ? (
            <Skeleton className="h-64" />
          ) : (
            <p role="alert">{sentenceOf(error, t("paper.failed"))}</p>
          )
        ) : (
          <Paper receipt={data} />
        )}
      </div>
    </div>
  );
}

function Paper({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation("billing");
  const rupees = (paise: number) => money(paise / 100);
  const half = receipt.rate / 2;
  return (
    <article className="on-paper rounded-xl border border-rule bg-sheet p-5 sm:p-8">
      <h1 className="font-serif text-2xl font-semibold">{t(receipt.invoice ? "paper.invoice" : "paper.receipt")}</h1>
      {receipt.test && <TestMode />}
      {receipt.state === "returned" && <p className="mt-3 font-medium text-overdue">{t("paper.returned")}</p>}
      <dl className="mt-5 grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Fact name={t("paper.number")}>{receipt.number}</Fact>
        <Fact name={t("paper.date")}>{dayOf(receipt.paid_at)}</Fact>
        <Fact name={t("paper.seller")}>
          {receipt.seller}
          {receipt.address !== "" && <span className="block font-normal whitespace-pre-line">{receipt.address}</span>}
          {receipt.gstin !== "" && (
            <span className="block font-normal">
              {t("paper.gstin")} {receipt.gstin}
              <span className="block">
                {t("paper.state")} {receipt.seller_place} ({receipt.gstin.slice(0, 2)})
              </span>
            </span>
          )}
        </Fact>
        <Fact name={t("paper.recipient")}>
          {receipt.email}
          {receipt.invoice && (
            <span className="block font-normal">
              {t("paper.unregistered")}
              <span className="block">
                {t("paper.state")} {receipt.place} ({receipt.place_code})
              </span>
            </span>
          )}
        </Fact>
        {receipt.invoice && (
          <Fact name={t("paper.supply")}>
            {receipt.place} ({receipt.place_code})
          </Fact>
        )}
        {receipt.period_from !== null && receipt.period_to !== null && (
          <Fact name={t("paper.period")}>
            {dayOf(receipt.period_from)} – {dayOf(receipt.period_to)}
          </Fact>
        )}
      </dl>
      <table className="mt-6 w-full border-y border-rule-strong tabular-nums">
        <thead className="sr-only">
          <tr>
            <th scope="col">{t("paper.item")}</th>
            <th scope="col">{t("paper.amount")}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.invoice ? (
            <>
              <Line
                name={say({ en: receipt.description, hi: receipt.description_hi })}
                note={`${t("paper.sac")} ${receipt.sac} · ${t("paper.taxable")}`}
                amount={rupees(receipt.taxable_paise)}
              />
              {receipt.igst_paise > 0 ? (
                <Line name={t("paper.igst", { rate: receipt.rate })} amount={rupees(receipt.igst_paise)} />
              ) : (
                <>
                  <Line name={t("paper.cgst", { rate: half })} amount={rupees(receipt.cgst_paise)} />
                  <Line name={t("paper.sgst", { rate: half })} amount={rupees(receipt.sgst_paise)} />
                </>
              )}
              <Line name={t("paper.total")} amount={rupees(receipt.total_paise)} strong />
            </>
          ) : (
            <>
              <Line
                name={say({ en: receipt.description, hi: receipt.description_hi })}
                amount={rupees(receipt.total_paise)}
              />
              <Line name={t("paper.paid")} amount={rupees(receipt.total_paise)} strong />
            </>
          )}
        </tbody>
      </table>
      <dl className="mt-5 grid gap-x-8 gap-y-3 text-sm sm:grid-cols-2">
        <Fact name={t("paper.payment")}>{receipt.payment_id}</Fact>
        <Fact name={t("paper.order")}>{receipt.order_id}</Fact>
      </dl>
      {receipt.invoice && (
        <p className="mt-5 text-sm text-ink-soft">
          {t("paper.reverse")} {t("paper.signature")}
        </p>
      )}
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-medium break-words">{children}</dd>
    </div>
  );
}

function Line({
  name,
  note,
  amount,
  strong = false,
}: {
  name: string;
  note?: string;
  amount: string;
  strong?: boolean;
}) {
  return (
    <tr className={strong ? "border-t border-rule-strong font-semibold" : ""}>
      <th scope="row" className={cn("py-2 pr-3 text-left", strong ? "font-semibold" : "font-normal")}>
        {name}
        {note !== undefined && <span className="block text-sm font-normal text-ink-soft">{note}</span>}
      </th>
      <td className="py-2 text-right align-top">{amount}</td>
    </tr>
  );
}
