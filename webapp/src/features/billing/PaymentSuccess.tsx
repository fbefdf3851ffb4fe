import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { ApiError, billingOptions, meOptions, paymentOptions, publicConfigOptions, verifyPayment } from "@/lib/api";
import { dayOf } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";
import type { Success } from "./checkout";

const askEvery = 1_500;
const longAfter = 60_000;
const leaveAfter = 3_000;

/** Waits until the server has verified the payment, and shows only what is verified. */
export function PaymentSuccess() {
  const { t } = useTranslation("billing");
  usePageTitle(t("success.page"));
  const order = useSearchParams()[0].get("order") ?? "";
  const state: unknown = useLocation().state;
  const success = successOf(state);
  const from = fromOf(state);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate, error: refused } = useMutation({
    mutationFn: async ({ payment, signature }: Success) => {
      await verifyPayment({ body: { order_id: order, payment_id: payment, signature }, throwOnError: true });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: paymentOptions(order).queryKey }),
    retry: (failures, error) => failures < 5 && !isRefusal(error),
  });
  const begun = useRef(false);
  useEffect(() => {
    if (success === null || begun.current) return;
    begun.current = true;
    mutate(success);
  }, [mutate, success]);
  const { data, error } = useQuery({
    ...paymentOptions(order),
    enabled: order !== "",
    refetchInterval: (query) => (query.state.data?.state === "paid" || isRefusal(query.state.error) ? false : askEvery),
  });
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLong(true);
    }, longAfter);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const paid = data?.state === "paid" && data.premium;
  // A failed attempt may be followed by a successful one, which the checkout has reported to us.
  const wrong =
    !paid &&
    (order === "" ||
      isRefusal(refused) ||
      isRefusal(error) ||
      data?.state === "returned" ||
      (data?.state === "failed" && success === null));
  useEffect(() => {
    if (!paid) return;
    for (const { queryKey } of [meOptions(), billingOptions()]) void queries.invalidateQueries({ queryKey });
    const timer = setTimeout(() => void navigate(from, { replace: true }), leaveAfter);
    return () => {
      clearTimeout(timer);
    };
  }, [paid, queries, navigate, from]);
  if (wrong) return <Wrong order={order} />;
  if (paid) {
    return (
      <Page
        icon={<CircleCheck aria-hidden className="size-12 text-safe" strokeWidth={1.5} />}
        heading={t("success.welcome")}
      >
        {data.period_end !== null && (
          <p className="mt-2 text-ink-soft">{t("success.welcomeHint", { date: dayOf(data.period_end) })}</p>
        )}
        <Button look="primary" className="mt-6" asChild>
          <Link to={from} replace>
            {t("success.continue")}
          </Link>
        </Button>
      </Page>
    );
  }
  return (
    <Page icon={<Spinner className="size-10 text-accent" />} heading={t("success.activating")}>
      {long ? (
        <>
          <p className="mt-2">{t("success.long")}</p>
          <OrderId order={order} />
          <Button className="mt-6" asChild>
            <Link to="/app">{t("success.back")}</Link>
          </Button>
        </>
      ) : (
        <p className="mt-2 text-ink-soft">{t("success.activatingHint")}</p>
      )}
    </Page>
  );
}

function Wrong({ order }: { order: string }) {
  const { t } = useTranslation("billing");
  const support = useQuery(publicConfigOptions()).data?.payment.support ?? "";
  return (
    <Page
      icon={<CircleAlert aria-hidden className="size-12 text-overdue" strokeWidth={1.5} />}
      heading={t("success.wrong")}
    >
      <p className="mt-2">{t(support === "" ? "success.failedAlone" : "success.failed")}</p>
      {support !== "" && (
        <p className="mt-1 break-words">
          {t("supportAt")} {support}
        </p>
      )}
      <OrderId order={order} />
      <Button look="primary" className="mt-6" asChild>
        <Link to="/app">{t("success.back")}</Link>
      </Button>
    </Page>
  );
}

function OrderId({ order }: { order: string }) {
  const { t } = useTranslation("billing");
  if (order === "") return null;
  return (
    <p className="mt-3 text-sm text-ink-soft">
      {t("success.order")} <span className="font-medium break-all text-ink select-all">{order}</span>
    </p>
  );
}

function Page({ icon, heading, children }: { icon: ReactNode; heading: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-paper p-6 text-center">
      <div role="status" className="flex w-full max-w-md flex-col items-center">
        {icon}
        <h1 className="mt-4 font-serif text-2xl font-semibold text-balance">{heading}</h1>
        {children}
      </div>
    </main>
  );
}

const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Returns the page on which the person paid, and to which they return. */
function fromOf(state: unknown): string {
  const from = typeof state === "object" && state !== null ? (state as { from?: unknown }).from : undefined;
  return typeof from === "string" && from.startsWith("/app") ? from : "/app";
}

function successOf(state: unknown): Success | null {
  if (typeof state !== "object" || state === null) return null;
  const { payment, signature } = state as Partial<Success>;
  return typeof payment === "string" && typeof signature === "string" ? { payment, signature } : null;
}
