import type { Page } from "@playwright/test";
import { expect, signUp, test } from "./test";
import { freePort, start, startStack, type Running, type Stack } from "./stack";

const theme = (page: Page, name: "light" | "dark") =>
  page.evaluate((it) => {
    document.documentElement.dataset.theme = it;
  }, name);
const billing = (page: Page) => page.getByRole("region", { name: "Billing & Usage" });
// Every request goes to the stack of this test, which is not the one that the other tests share.
const elsewhere = /^asked http:\/\/127\.0\.0\.1/;

test.describe("the sandbox", () => {
  let shop: Stack;
  test.beforeAll(async () => {
    shop = await startStack("sandbox", {
      MUNSHI_MODEL_PROVIDER: "offline",
      MUNSHI_PAYMENT_PROVIDER: "sandbox",
      MUNSHI_ACCOUNT_FREE_USES: "0",
    });
  });
  test.afterAll(() => shop.stop());

  test("the whole way without keys: offered, failed, left, paid, welcomed, renewed", async ({
    page,
    picture,
    accessible,
    clean,
  }) => {
    clean.allow(elsewhere);
    const email = await signUp(page, shop.url);
    await page.reload(); // someone who comes with an account and no subscription is offered one
    const offer = page.getByRole("dialog", { name: "Welcome" });
    await expect(offer.getByText("TEST MODE")).toBeVisible();
    await expect(offer.getByText("Unlimited AI Usage")).toBeVisible();
    await accessible();
    await picture("subscribe");
    await offer.getByRole("button", { name: "Maybe Later" }).click();
    await expect(offer).toHaveCount(0);

    await page.getByRole("button", { name: "Billing & Usage" }).click();
    await expect(billing(page).getByText("Free Account")).toBeVisible();
    await expect(billing(page).getByText("0 of 0 free uses")).toBeVisible();
    await billing(page).getByRole("button", { name: "Upgrade Now" }).click();
    await page.getByRole("button", { name: "Subscribe Now - ₹1/month" }).click();
    const till = page.getByRole("dialog", { name: "Test payment" });
    await till.getByRole("button", { name: "Simulate a failure" }).click();
    await expect(till.getByRole("alert")).toHaveText(
      "The payment did not go through. No money was taken; you can try again.",
    );
    await accessible();
    await picture("sandbox");
    await expect(page.getByText("A payment was started")).toBeVisible();
    await till.getByRole("button", { name: "Close without paying" }).click();
    await expect(billing(page).getByText("A payment was started")).toHaveCount(0);

    await page.getByRole("button", { name: "Subscribe Now - ₹1/month" }).click();
    await till.getByRole("button", { name: "Pay ₹1" }).click();
    await expect(page.getByRole("heading", { name: "Welcome to Premium!" })).toBeVisible();
    await accessible();
    await page.waitForURL(/\/app\/lawyer$/); // without a click
    await page.getByRole("button", { name: "Billing & Usage" }).click();
    await expect(billing(page).getByText("Premium Account")).toBeVisible();
    await expect(billing(page).getByText("Unlimited", { exact: true })).toBeVisible();
    await expect(billing(page).getByText("Nothing is debited automatically.")).toBeVisible();
    const end = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Asia/Kolkata",
      month: "long",
      day: "numeric",
      year: "numeric",
    });
    await expect(billing(page).getByText(end.format(Date.now() + 30 * 86_400_000), { exact: true })).toBeVisible();
    await accessible();
    await picture("billing");
    await theme(page, "dark");
    await picture("billing-dark");

    // Uses are no longer counted, and a renewal adds its days.
    const box = page.getByRole("textbox", { name: "Ask your legal question..." });
    await box.fill("Must I reply to a notice?");
    await box.press("Enter");
    await expect(page.getByRole("log").getByRole("article", { name: "Answer" })).toHaveCount(1);
    await billing(page).getByRole("button", { name: "Renew now" }).click();
    await page.getByRole("button", { name: "Subscribe Now - ₹1/month" }).click();
    await till.getByRole("button", { name: "Pay ₹1" }).click();
    await expect(page.getByRole("heading", { name: "Welcome to Premium!" })).toBeVisible();
    await page.evaluate(() => {
      // Stops the timer that would open the next page.
      for (let timer = Number(setTimeout(() => undefined)); timer > 0; timer--) clearTimeout(timer);
    });
    await picture("welcome");
    await page.getByRole("link", { name: "Continue to Dashboard" }).click();
    await page.getByRole("button", { name: "Billing & Usage" }).click();
    await expect(billing(page).getByText(end.format(Date.now() + 60 * 86_400_000), { exact: true })).toBeVisible();
    await billing(page)
      .getByRole("link", { name: /^Receipt/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { name: "Receipt" })).toBeVisible();
    await expect(page.getByRole("article").getByText("TEST MODE")).toBeVisible();
    await expect(page.getByRole("article").getByText(email)).toBeVisible();
    await accessible();
    await picture("receipt");

    await page.setViewportSize({ width: 320, height: 720 });
    await picture("receipt-320");
    await page.goto(`${shop.url}/app/lawyer`);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Billing & Usage" }).click();
    await expect(billing(page).getByText("Premium Account")).toBeVisible();
    await picture("billing-320");
    await theme(page, "dark");
    await billing(page).getByRole("button", { name: "Renew now" }).click();
    await expect(offer).toBeVisible();
    await picture("subscribe-320-dark");
  });

  test("the success page believes nobody's word", async ({ page, picture, clean }) => {
    clean.allow(elsewhere);
    clean.allow(/status of 40[14]/);
    await page.goto(`${shop.url}/payment/success`);
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    await page.goto(`${shop.url}/payment/success?order=order_of_nobody`);
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    await expect(
      page.getByText("Failed to activate subscription. If you were charged, keep the order ID"),
    ).toBeVisible();
    await picture("wrong");
    await page.getByRole("link", { name: "Return to Dashboard" }).click();
    await page.waitForURL(/\/app\/lawyer$/);
  });
});

test.describe("Razorpay's stand-in", () => {
  let shop: Stack;
  let fake: Running;
  let address: string;
  test.beforeAll(async () => {
    const [port, web] = [await freePort(), await freePort()];
    address = `http://127.0.0.1:${String(port)}`;
    fake = start(
      "fakerazorpay",
      ["--addr", `127.0.0.1:${String(port)}`, "--webhook", `http://127.0.0.1:${String(web)}/api/payments/webhook`],
      {},
      /answers at/,
      "fakerazorpay",
    );
    await fake.ready;
    shop = await startStack("razorpay", {
      MUNSHI_MODEL_PROVIDER: "offline",
      MUNSHI_SERVER_ADDRESS: `127.0.0.1:${String(web)}`,
      MUNSHI_PAYMENT_PROVIDER: "razorpay",
      MUNSHI_PAYMENT_KEY_ID: "rzp_test_standin",
      MUNSHI_PAYMENT_KEY_SECRET: "key-secret",
      MUNSHI_PAYMENT_WEBHOOK_SECRET: "webhook-secret",
      MUNSHI_PAYMENT_BASE_URL: address,
      MUNSHI_PAYMENT_CHECKOUT: `${address}/v1/checkout.js`,
      MUNSHI_PAYMENT_SUPPORT: "help@example.com",
      MUNSHI_PAYMENT_SELLER_NAME: "Munshi Private Limited",
      MUNSHI_PAYMENT_SELLER_ADDRESS: "1 MG Road, Bengaluru 560001",
      MUNSHI_PAYMENT_SELLER_GSTIN: "29AAAAA0000A1Z5",
    });
  });
  test.afterAll(async () => {
    await shop.stop();
    await fake.stop();
  });

  test("closed, failed, slow, and paid, with a tax invoice", async ({ page, request, picture, accessible, clean }) => {
    clean.allow(elsewhere);
    clean.allow(/status of 502/);
    const mood = (of: object) => request.post(`${address}/test/mood`, { data: of });
    await signUp(page, shop.url);
    await page.reload(); // someone who comes with an account and no subscription is offered one
    const offer = page.getByRole("dialog", { name: "Welcome" });
    const subscribe = offer.getByRole("button", { name: "Subscribe Now - ₹1/month" });
    await expect(subscribe).toBeDisabled();
    await offer.getByLabel("Your State or Union territory").selectOption("Maharashtra");
    await mood({ status: 503 });
    await subscribe.click();
    await expect(offer.getByRole("alert")).toContainText("Failed to initialize payment. Please try again.");
    await accessible();
    await picture("subscribe-failed");
    await mood({ authorise: true, hold: true });
    await subscribe.click();
    const till = page.getByRole("dialog", { name: "Stand-in for Razorpay" });
    await till.getByRole("button", { name: "Let it fail" }).click();
    await till.getByRole("button", { name: "Close" }).click();
    await expect(offer).toBeVisible();
    await subscribe.click();
    // The bank has authorised the payment, the money is not captured yet, and no event comes: nobody sees it as paid.
    await page.clock.install();
    await till.getByRole("button", { name: "Pay now" }).click();
    await expect(page.getByRole("heading", { name: "Activating Your Subscription" })).toBeVisible();
    await accessible();
    await picture("activating");
    await page.clock.runFor(61_000);
    await expect(page.getByText("Do not pay again")).toBeVisible();
    await expect(page.getByText(/order_[A-Z0-9]+/)).toBeVisible();
    await picture("long");
    const order = new URL(page.url()).searchParams.get("order");
    await mood({});
    await request.post(`${address}/test/capture`, { data: { order } });
    await page.clock.runFor(3_000);
    await expect(page.getByRole("heading", { name: "Welcome to Premium!" })).toBeVisible();
    await page.getByRole("link", { name: "Continue to Dashboard" }).click();
    await page.getByRole("button", { name: "Billing & Usage" }).click();
    await expect(billing(page).getByText("help@example.com")).toBeVisible();
    await billing(page)
      .getByRole("link", { name: /^Tax invoice/ })
      .click();
    await expect(page.getByRole("heading", { name: "Tax Invoice" })).toBeVisible();
    await expect(page.getByText("IGST 18%")).toBeVisible();
    await expect(page.getByText("Maharashtra (27)").first()).toBeVisible();
    await accessible();
    await picture("invoice");
    await page.emulateMedia({ media: "print" });
    await picture("invoice-print");
    await page.emulateMedia({ media: "screen" });

    // On a phone the payment begins in the drawer, which must not cover the provider's dialog.
    await page.setViewportSize({ width: 320, height: 720 });
    await page.reload();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Billing & Usage" }).click();
    await billing(page).getByRole("button", { name: "Renew now" }).click();
    await offer.getByLabel("Your State or Union territory").selectOption("Karnataka");
    await picture("subscribe-320");
    await subscribe.click();
    await till.getByRole("button", { name: "Pay now" }).click();
    await expect(page.getByRole("heading", { name: "Welcome to Premium!" })).toBeVisible();
  });
});
