import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { billingOptions, dismissPayment, meOptions, publicConfigOptions, startPayment } from "@/lib/api";
import { checkout, type Success } from "./checkout";

/** Returns the path of the page that waits for the verification of an order. */
export const successPath = (order: string) => `/payment/success?order=${encodeURIComponent(order)}`;

/** An order to be paid, with its amount. */
export type Order = { id: string; paise: number };

/** Buys a period of Premium: creates an order, opens the checkout, and then the page that waits for the server. */
export function usePay() {
  const config = useQuery(publicConfigOptions()).data;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  // An order in the sandbox, whose checkout is our own dialog.
  const [sandbox, setSandbox] = useState<Order | null>(null);
  const refresh = () => {
    for (const { queryKey } of [meOptions(), billingOptions()]) void queries.invalidateQueries({ queryKey });
  };
  const paid = async (order: string, success: Success) => {
    setSandbox(null);
    await navigate(successPath(order), { state: { ...success, from: pathname + search } });
  };
  const left = async (order: string) => {
    setSandbox(null);
    try {
      await dismissPayment({ path: { order }, throwOnError: true });
    } finally {
      refresh(); // if this fails, the server closes the pending order later
    }
  };
  const pay = useMutation({
    mutationFn: async ({ place, seats }: { place: string; seats: number | null }) => {
      if (config === undefined) throw new Error("User not authenticated");
      const { data } = await startPayment({
        body: { ...(place === "" ? {} : { place }), ...(seats === null ? {} : { seats }) },
        throwOnError: true,
      });
      refresh();
      if (config.payment.provider === "sandbox") {
        setSandbox({ id: data.order_id, paise: data.amount_paise });
        return;
      }
      try {
        const success = await checkout(
          config.payment,
          { id: data.order_id, email: data.email, paise: data.amount_paise },
          config.product_name,
        );
        if (success === null) void left(data.order_id).catch(() => undefined);
        else await paid(data.order_id, success);
      } catch (error) {
        void left(data.order_id).catch(() => undefined);
        throw error;
      }
    },
  });
  return { offer: config?.payment, pay, sandbox, paid, left };
}
