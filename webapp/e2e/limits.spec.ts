import { expect, test } from "@playwright/test";
import { startStack, type Stack } from "./stack";

let stack: Stack;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  stack = await startStack("limits", {
    MUNSHI_MODEL_PROVIDER: "offline",
    MUNSHI_ACCOUNT_FREE_USES: "1",
    MUNSHI_PAYMENT_PROVIDER: "sandbox",
    MUNSHI_ABUSE_VISITORS: "1",
    MUNSHI_ABUSE_WORK_BITS: "14",
  });
});

test.afterAll(async () => {
  await stack.stop();
});

// The first visitor: no proof of work is needed yet.
test("the limit of uses shows before a file is chosen", async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${stack.url}/app/lawyer`);
  await page.getByRole("textbox").first().fill("What is a show cause notice?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copy" }).first()).toBeVisible();
  await page.goto(`${stack.url}/app/notices`);
  await page.getByRole("button", { name: "Upload" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("free");
  await expect(page.locator('input[type="file"]:visible')).toHaveCount(0);
  await page.context().close();
});

test("over the limit of its network a browser works, says so, and is let in", async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${stack.url}/app/lawyer`);
  const said = page.getByText("Many people are using your network right now.");
  // The proof of work may be fast: it waits here until the person was informed.
  let waited = false;
  await page.route(/\/proof\.worker/, async (route) => {
    await expect(said).toBeVisible();
    waited = true;
    await route.continue();
  });
  await page.getByRole("textbox").first().fill("What is a show cause notice?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copy" }).first()).toBeVisible();
  expect(waited).toBe(true);
  await expect(said).toBeHidden();
  await page.context().close();
});
