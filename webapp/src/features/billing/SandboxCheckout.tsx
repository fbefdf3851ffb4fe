import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { payInSandbox, sentenceOf, type PaymentOffer } from "@/lib/api";
import { money } from "@/lib/format";
import { say } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import type { Success } from "./checkout";
import type { Order } from "./usePay";
import { TestMode } from "./TestMode";

type Props = {
  order: Order;
  offer: PaymentOffer;
  onPaid: (order: string, success: Success) => Promise<void>;
  onLeft: (order: string) => Promise<void>;
};

/** The sandbox's checkout; it says that it takes no money. */
export function SandboxCheckout({ order, offer, onPaid, onLeft }: Props) {
  const { t } = useTranslation("billing");
  const [failed, setFailed] = useState(false);
  const pay = useMutation({
    mutationFn: async () => {
      const { data } = await payInSandbox({ path: { order: order.id }, throwOnError: true });
      await onPaid(order.id, { payment: data.payment_id, signature: data.signature });
    },
  });
  const leave = () => {
    void onLeft(order.id).catch(() => undefined);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) leave();
      }}
    >
      <DialogContent title={t("sandbox.title")} closeLabel={t("close")} className="max-w-md">
        <TestMode />
        <p className="mt-3">{say({ en: offer.description, hi: offer.description_hi })}</p>
        <p className="mt-1 text-sm break-all text-ink-soft">{t("sandbox.order", { order: order.id })}</p>
        {(failed || pay.error !== null) && (
          <p role="alert" className="mt-3 text-overdue">
            {pay.error === null ? t("paymentFailed") : sentenceOf(pay.error, t("paymentFailed"))}
          </p>
        )}
        <div className="mt-5 flex flex-col gap-2">
          <Button
            look="primary"
            disabled={pay.isPending}
            onClick={() => {
              setFailed(false);
              pay.mutate();
            }}
          >
            {t("sandbox.pay", { amount: money(order.paise / 100) })}
          </Button>
          <Button
            onClick={() => {
              setFailed(true);
            }}
          >
            {t("sandbox.fail")}
          </Button>
          <Button look="quiet" onClick={leave}>
            {t("sandbox.close")}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
