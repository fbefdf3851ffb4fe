import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, firmOptions, publicConfigOptions, sentenceOf } from "@/lib/api";
import { money } from "@/lib/format";
import { firmHere } from "@/lib/place";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Field } from "@/lib/ui/form";
import { Features } from "./Features";
import { SandboxCheckout } from "./SandboxCheckout";
import { TestMode } from "./TestMode";
import { usePay } from "./usePay";

/** Offers Premium. It is hidden while the payment provider's dialog is open, and closes when the person is done. */
export function Subscribe({
  onClose,
  billing = false,
}: {
  onClose: () => void;
  /** True if it was opened from Billing & Usage. */ billing?: boolean;
}) {
  const { t } = useTranslation("billing");
  const product = useQuery(publicConfigOptions()).data?.product_name;
  const { offer, pay, sandbox, paid, left } = usePay();
  const [place, setPlace] = useState("");
  const taken = useQuery({ ...firmOptions(), enabled: firmHere !== null }).data?.taken ?? 1;
  const [wanted, setWanted] = useState<number | null>(null);
  const seats = firmHere === null ? null : Math.max(taken, wanted ?? taken);
  const id = useId();
  if (offer === undefined) return null;
  if (sandbox !== null) return <SandboxCheckout order={sandbox} offer={offer} onPaid={paid} onLeft={left} />;
  const places = offer.places ?? [];
  // While our dialog is open, it would keep the focus from the provider's dialog.
  if (pay.isPending) {
    return (
      <p role="status" className="sr-only">
        {t("subscribe.working")}
      </p>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <DialogContent title={t("subscribe.title")} closeLabel={t("close")} className="max-w-md">
        {offer.provider === "sandbox" && <TestMode />}
        <p className="mt-3">{t(seats === null ? "subscribe.what" : "subscribe.whatFirm", { product })}</p>
        {seats !== null && (
          <div className="mt-4">
            <Field
              label={t("subscribe.seats")}
              hint={t("subscribe.seatsHint", { price: money(offer.seat_paise / 100) })}
              type="number"
              inputMode="numeric"
              min={taken}
              max={1000}
              value={wanted ?? taken}
              onChange={(event) => {
                setWanted(event.target.valueAsNumber || null);
              }}
            />
          </div>
        )}
        <h3 className="mt-4 font-medium">{t("features.title")}</h3>
        <Features support={offer.support} />
        {places.length > 0 && (
          <div className="mt-4">
            <label htmlFor={id} className="text-sm font-medium">
              {t("subscribe.place")}
            </label>
            <select
              id={id}
              value={place}
              aria-describedby={`${id}-hint`}
              className="mt-1 min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3"
              onChange={(event) => {
                setPlace(event.target.value);
              }}
            >
              <option value="">{t("subscribe.choose")}</option>
              {places.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
            <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
              {t("subscribe.placeHint")}
            </p>
          </div>
        )}
        {pay.error !== null && (
          <p role="alert" className="mt-4 text-overdue">
            {t(billing ? "initFailedBilling" : "initFailed")}
            {pay.error instanceof ApiError && pay.error.sentence !== null && (
              <span className="block text-sm">{sentenceOf(pay.error, "")}</span>
            )}
          </p>
        )}
        <div className="mt-5 flex flex-col gap-2">
          <Button
            look="primary"
            disabled={places.length > 0 && place === ""}
            onClick={() => {
              pay.mutate({ place, seats });
            }}
          >
            {seats === null
              ? t("subscribe.button", { price: term(offer.price) })
              : t("subscribe.pay", { amount: money((offer.seat_paise * seats) / 100) })}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {t("subscribe.later")}
          </Button>
        </div>
        <p className="mt-3 text-sm text-ink-soft">{t("subscribe.once")}</p>
      </DialogContent>
    </Dialog>
  );
}
