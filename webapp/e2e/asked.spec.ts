import { devices } from "@playwright/test";
import { expect, fixture, soak, test } from "./test";

/** A client in Hindi on a phone opens the link of an interview, answers, loses the connection and hands in a paper. */
test("a client answers by a link on a phone, in Hindi", soak, async ({ page, browser, baseURL, notices }, info) => {
  test.skip(info.project.name !== "offline", "no model is asked here");
  test.slow();
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  await page.getByRole("link", { name: "Reply", exact: true }).click();
  await page.getByRole("button", { name: "Send the client a link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Client's name").fill("Ravi Rao");
  await dialog.getByLabel("Language").selectOption("hi");
  const made = page.waitForResponse((r) => r.url().endsWith("/links") && r.request().method() === "POST");
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = (await (await made).json()) as { address: string };
  await page.screenshot({ path: `${info.outputDir}/ask.png` });

  const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 5"];
  const viewport = { width: 360, height: 740 };
  const context = await browser.newContext({ userAgent, deviceScaleFactor, isMobile, hasTouch, viewport, baseURL });
  const client = await context.newPage();
  await client.goto(link.address);
  await expect(client.getByRole("heading", { name: "आपके GST नोटिस के बारे में सवाल" })).toBeVisible();
  await client.screenshot({ path: `${info.outputDir}/client-top.png` });
  for (const [i, card] of (await client.locator("li, section").all()).entries())
    if (i % 3 === 1) {
      await card.scrollIntoViewIfNeeded();
      await client.screenshot({ path: `${info.outputDir}/client-${String(i)}.png` });
    }
  await context.setOffline(true);
  const box = client.locator("textarea").first();
  await box.fill("सप्लायरों ने अप्रैल में बताया।");
  await box.blur();
  await expect(client.getByText(/इंटरनेट नहीं है/).first()).toBeVisible();
  await client.screenshot({ path: `${info.outputDir}/client-offline.png` });
  await context.setOffline(false);
  await expect(client.getByText("भेज दिया").first()).toBeVisible({ timeout: 60_000 });
  await client.screenshot({ path: `${info.outputDir}/client-sent.png`, fullPage: true });
  await context.close();
});
