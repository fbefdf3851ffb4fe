import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { billingOptions, publicConfigOptions, sentenceOf, type Billing, type PaymentOffer } from "@/lib/api";
import { dayOf, money } from "@/lib/format";
import { firmHere } from "@/lib/place";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Features } from "./Features";
import { TestMode } from "./TestMode";

/**
 * Billing & Usage: what the person may use, until when, and what they have paid. The dialog for paying is shown by the
 * workspace, outside the drawer.
 */
export function BillingView({ onSubscribe }: { onSubscribe: () => void }) {
  const { t } = useTranslation("billing");
  const offer = useQuery(publicConfigOptions()).data?.payment;
  const { data, error, refetch } = useQuery(billingOptions());
  if (data === undefined) {
    return error === null ? (
      <div className="mt-4 space-y-3" role="status" aria-label={t("loading")}>
        <Skeleton />
        <Skeleton />
        <Skeleton className="w-4/5" />
      </div>
    ) : (
      <div className="mt-4">
        <p role="alert" className="font-medium">
          {t("failed")}
        </p>
        <p className="mt-1 text-sm text-ink-soft">{sentenceOf(error, "")}</p>
        <Button size="small" className="mt-3" onClick={() => void refetch()}>
          {t("again")}
        </Button>
      </div>
    );
  }
  return (
    <>
      {offer?.provider === "sandbox" && <TestMode />}
      <Overview billing={data} offer={offer} onSubscribe={onSubscribe} />
      <Part title={t("usage")}>
        <p className="text-lg font-medium">
          {data.premium || !data.limited
            ? t("unlimited")
            : t("used", { used: Math.min(data.used, data.free), free: data.free })}
        </p>
      </Part>
      {data.premium && data.period_end !== null && (
        <Part title={t("next")}>
          <p className="text-lg font-medium">{dayOf(data.period_end)}</p>
          <p className="mt-1 text-sm text-ink-soft">{t("nextHint")}</p>
        </Part>
      )}
      {(offer?.provider ?? "") !== "" && (
        <Part title={t("features.title")}>
          <Features support={offer?.support ?? ""} />
        </Part>
      )}
      <Part title={t("payments")}>
        <Payments list={data.payments ?? []} />
      </Part>
      {firmHere === null && (
        <Part title={t("firm.title")}>
          <p className="text-[0.9375rem]">{t("firm.what")}</p>
          <Link
            to="/app/firms/new"
            className="mt-1 inline-flex min-h-6 items-center rounded text-accent underline underline-offset-2"
          >
            {t("firm.open")}
          </Link>
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4 border-t border-rule pt-3">
      <h3 className="mb-1 text-sm font-medium text-ink-soft">{title}</h3>
      {children}
    </section>
  );
}

function Overview({
  billing,
  offer,
  onSubscribe,
}: {
  billing: Billing;
  offer: PaymentOffer | undefined;
  onSubscribe: () => void;
}) {
  const { t } = useTranslation("billing");
  const can = offer !== undefined && offer.provider !== "";
  return (
    <Part title={t("overview")}>
      <p className="text-lg font-medium">{t(billing.premium ? "premium" : "free")}</p>
      <p className="text-sm break-words text-ink-soft">{billing.email}</p>
      {billing.period_end !== null && (
        <p className="mt-1 text-sm text-ink-soft">
          {t(billing.premium ? "until" : "ended", { date: dayOf(billing.period_end) })}
        </p>
      )}
      {billing.status === "pending" && <p className="mt-1 text-sm text-due">{t("pending")}</p>}
      {!can && !billing.premium && (
        <p className="mt-1 text-sm text-ink-soft">{t(billing.limited ? "off" : "notSold")}</p>
      )}
      {can && (
        <Button
          look={billing.premium && !billing.ends_soon ? "outline" : "primary"}
          className="mt-3 w-full"
          onClick={onSubscribe}
        >
          {t(billing.premium ? "renew" : "upgrade")}
        </Button>
      )}
      {can && billing.premium && <p className="mt-1.5 text-sm text-ink-soft">{t("renewHint")}</p>}
    </Part>
  );
}

function Payments({ list }: { list: NonNullable<Billing["payments"]> }) {
  const { t } = useTranslation("billing");
  if (list.length === 0) return <p className="text-ink-soft">{t("noPayments")}</p>;
  return (
    <ul>
      {list.map((payment) => (
        <li key={payment.order_id} className="border-b border-rule py-2.5 last:border-0">
          <p className="flex justify-between gap-3">
            <span>{dayOf(payment.paid_at)}</span>
            <span className="font-medium tabular-nums">{money(payment.amount_paise / 100)}</span>
          </p>
          <p className="text-sm break-all text-ink-soft">{payment.payment_id}</p>
          <p className="flex flex-wrap justify-between gap-x-3 text-sm">
            <span className={payment.state === "paid" ? "text-safe" : "text-due"}>{t(`states.${payment.state}`)}</span>
            <Link
              to={`/app/receipts/${encodeURIComponent(payment.order_id)}`}
              className="inline-flex min-h-6 items-center rounded text-accent underline underline-offset-2"
            >
              {t(payment.invoice ? "invoice" : "receipt")}
              <span className="sr-only"> {payment.number}</span>
            </Link>
          </p>
        </li>
      ))}
    </ul>
  );
}
