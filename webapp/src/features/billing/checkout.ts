import type { PaymentOffer } from "@/lib/api";

/** What the checkout returns after a payment; the server verifies it. */
export type Success = { payment: string; signature: string };

type Answer = { razorpay_payment_id: string; razorpay_order_id: string; razorpay_signature: string };

type Options = {
  key: string;
  order_id: string;
  amount: number;
  currency: string;
  name: string;
  description: string;
  prefill: { email: string };
  theme: { color: string };
  handler: (answer: Answer) => void;
  modal: { ondismiss: () => void };
};

type Checkout = new (options: Options) => { open: () => void };

/** The product's blue, for the provider's dialog. */
const blue = "#23406e";

const loads = new Map<string, Promise<Checkout>>();

/** Loads the provider's script once; if loading fails, the next call tries again. */
function load(address: string): Promise<Checkout> {
  const known = loads.get(address);
  if (known !== undefined) return known;
  const loading = new Promise<Checkout>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.async = true;
    const failed = () => {
      loads.delete(address);
      script.remove();
      reject(new Error("the payment SDK failed to load"));
    };
    script.onerror = failed;
    script.onload = () => {
      const made = (window as { Razorpay?: Checkout }).Razorpay;
      if (made === undefined) failed();
      else resolve(made);
    };
    document.head.append(script);
  });
  loads.set(address, loading);
  return loading;
}

/** Opens the provider's checkout; resolves to null if it was closed without paying. */
export async function checkout(
  offer: PaymentOffer,
  order: { id: string; email: string; paise: number },
  product: string,
): Promise<Success | null> {
  const Razorpay = await load(offer.checkout);
  return new Promise((resolve) => {
    new Razorpay({
      key: offer.key_id,
      order_id: order.id,
      amount: order.paise,
      currency: offer.currency,
      name: product,
      description: offer.description,
      prefill: { email: order.email },
      theme: { color: blue },
      handler: (answer) => {
        resolve({ payment: answer.razorpay_payment_id, signature: answer.razorpay_signature });
      },
      modal: {
        ondismiss: () => {
          resolve(null);
        },
      },
    }).open();
  });
}
