import { expect, fixture, Notices, test } from "./test";

// The fixture `clean` fails these tests on any request to another host, any violation of the content policy, and any
// error.

test("whatever a model writes, its answer and the draft made of it load and run nothing", async ({ page, model }) => {
  await model({ answer: fixture("hostile.md"), tokenDelay: "2ms" });
  const talk = new Notices(page);
  const harmless = async () => {
    await expect(page.locator("main :is(img, iframe, script, style, link, video, object, embed)")).toHaveCount(0);
    await expect(page.locator('main a[href^="javascript:"], main a[href^="data:"]')).toHaveCount(0);
    expect(await page.evaluate(() => "hostile" in window)).toBe(false);
  };

  await page.goto("/app/lawyer");
  const box = page.getByRole("textbox", { name: /^Ask your legal question/ });
  await box.fill("Write me an agreement.");
  await box.press("Enter");
  // While it is written, or when it is already stored.
  await expect(talk.log.getByRole("heading", { name: "TERMS" }).first()).toBeVisible();
  await harmless();
  await talk.answered(1);
  await expect(talk.answers()).toContainText("The last words.");
  await harmless();

  await page.goto("/app/drafting");
  await page.getByRole("combobox", { name: "Document type" }).selectOption("Agreement");
  await page.getByRole("textbox", { name: "Requirements and Details" }).fill("An agreement");
  await page.getByRole("button", { name: "Generate Draft" }).click();
  await talk.answered(1);
  await harmless();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.waitForURL(/\/app\/drafts\/[0-9a-f-]{36}$/);
  await page.getByRole("button", { name: "Edit", exact: true }).first().click();
  await expect(page.locator("[contenteditable=true]")).toBeVisible();
  await harmless();
});
