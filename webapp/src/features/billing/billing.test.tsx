import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it, vi } from "vitest";
import type { Billing, PaymentState } from "@/lib/api";
import { renderElement, renderRoutes } from "@test/render";
import { config, problem, server } from "@test/server";
import { BillingView } from "./BillingView";
import { PaymentSuccess } from "./PaymentSuccess";

const free: Billing = {
  signed_in: true,
  email: "asha@example.com",
  operator: false,
  mail: false,
  used: 1,
  free: 2,
  limited: true,
  status: "inactive",
  premium: false,
  ends_soon: false,
  period_end: null,
  firms: [],
  acting: null,
  payments: [],
};
const premium: Billing = { ...free, status: "active", premium: true, period_end: "2026-12-21T20:00:00Z" };

const bills = (billing: Billing) => {
  server.use(
    http.get("*/api/config", () =>
      HttpResponse.json({
        ...config,
        payment: { ...config.payment, provider: "razorpay", support: "help@example.com" },
      }),
    ),
    http.get("*/api/billing", () => HttpResponse.json(billing)),
  );
};

describe("Billing & Usage", () => {
  it("of a free account offers Premium", async () => {
    bills(free);
    const subscribe = vi.fn();
    const { user } = renderElement(<BillingView onSubscribe={subscribe} />);
    expect(await screen.findByText("Free Account")).toBeTruthy();
    expect(screen.getByText("1 of 2 free uses")).toBeTruthy();
    expect(screen.queryByText("Next Payment")).toBeNull();
    await user.click(await screen.findByRole("button", { name: "Upgrade Now" }));
    expect(subscribe).toHaveBeenCalledOnce();
  });

  it("of a premium account tells the next payment by India's day, and its support", async () => {
    bills(premium);
    renderElement(<BillingView onSubscribe={vi.fn()} />);
    expect(await screen.findByText("22 December 2026")).toBeTruthy();
    expect(screen.getByText("Unlimited")).toBeTruthy();
    expect(screen.getByText(/Nothing is debited automatically/)).toBeTruthy();
    expect((await screen.findByRole("link", { name: "help@example.com" })).getAttribute("href")).toBe(
      "mailto:help@example.com",
    );
  });

  it("names what is bought, and who gives support", async () => {
    bills(free);
    renderElement(<BillingView onSubscribe={vi.fn()} />);
    expect(await screen.findByText("Priority Support")).toBeTruthy();
    expect(screen.getByText(/handled first when many people are waiting/)).toBeTruthy();
  });

  it("promises no support where nobody gives it", async () => {
    bills(free);
    server.use(
      http.get("*/api/config", () =>
        HttpResponse.json({ ...config, payment: { ...config.payment, provider: "sandbox", support: "" } }),
      ),
    );
    renderElement(<BillingView onSubscribe={vi.fn()} />);
    expect(await screen.findByText("Advanced Features")).toBeTruthy();
    expect(screen.queryByText("Priority Support")).toBeNull();
  });

  it("says where nothing is sold that nothing is limited", async () => {
    server.use(http.get("*/api/billing", () => HttpResponse.json({ ...free, limited: false })));
    renderElement(<BillingView onSubscribe={vi.fn()} />);
    expect(await screen.findByText("There is no paid plan on this server and no limit on use.")).toBeTruthy();
    expect(screen.getByText("Unlimited")).toBeTruthy();
    expect(screen.queryByText("Premium Features")).toBeNull();
  });

  it("says that it could not be loaded", async () => {
    server.use(http.get("*/api/billing", () => problem(401, "not_signed_in", "Sign in first.")));
    renderElement(<BillingView onSubscribe={vi.fn()} />);
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to load subscription details");
  });
});

describe("the success page", () => {
  const come = (state: PaymentState["state"] | null, from?: string) => {
    server.use(
      http.get("*/api/payments/:order", () =>
        state === null
          ? problem(404, "not_found", "This could not be found, or it is not yours.")
          : HttpResponse.json({
              order_id: "order_1",
              state,
              premium: state === "paid",
              period_end: "2026-12-21T20:00:00Z",
            }),
      ),
    );
    renderRoutes([{ path: "*", element: <PaymentSuccess /> }], {
      pathname: "/payment/success",
      search: "?order=order_1",
      state: { from },
    });
  };

  it("waits while nothing was verified", async () => {
    come("waiting");
    expect(await screen.findByRole("heading", { name: "Activating Your Subscription" })).toBeTruthy();
  });

  it("welcomes whose payment was", async () => {
    come("paid");
    expect(await screen.findByRole("heading", { name: "Welcome to Premium!" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Continue to Dashboard" }).getAttribute("href")).toBe("/app");
  });

  it("leads back to where the person was when they paid", async () => {
    come("paid", "/app/notices/n1?pane=conversation");
    expect((await screen.findByRole("link", { name: "Continue to Dashboard" })).getAttribute("href")).toBe(
      "/app/notices/n1?pane=conversation",
    );
  });

  it.each([null, "failed", "returned"] as const)("tells what went wrong: %s", async (state) => {
    come(state);
    expect(await screen.findByRole("heading", { name: "Something went wrong" })).toBeTruthy();
    expect(screen.queryByText(/contact support/)).toBeNull(); // no contact is configured here
    expect(screen.getByText(/^Failed to activate subscription\. If you were charged/)).toBeTruthy();
    expect(screen.getByText("order_1")).toBeTruthy();
  });
});
