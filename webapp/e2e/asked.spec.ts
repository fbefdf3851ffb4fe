import { devices } from "@playwright/test";
import { expect, fixture, soak, test, wide } from "./test";

test(
  "a client answers by a link on a phone, in Hindi, also where the connection is lost",
  soak,
  async ({ page, browser, baseURL, notices, picture }, info) => {
    test.skip(info.project.name !== "offline", "no model is asked here");
    test.slow();
    await notices.upload(fixture("drc-01.pdf"));
    await notices.answered(1);
    await page.getByRole("link", { name: "Reply", exact: true }).click();
    await page.getByRole("button", { name: "Send the client a link" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Client's name").fill("Ravi Rao");
    await dialog.getByLabel("Language").selectOption("hi");
    await dialog.getByRole("button", { name: "Make a link" }).click();
    const message = dialog.getByRole("textbox", { name: "Message to the client" });
    await expect(message).toHaveValue(/https?:\/\/\S+\/app\/asked\?language=hi#\S+/);
    await picture("asked-message");
    const [address = ""] = /https?:\/\/\S+/.exec(await message.inputValue()) ?? [];

    const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 5"];
    const viewport = { width: 360, height: 740 };
    const context = await browser.newContext({ userAgent, deviceScaleFactor, isMobile, hasTouch, viewport, baseURL });
    const client = await context.newPage();
    await client.goto(address);
    await expect(client.getByRole("heading", { name: "आपके GST नोटिस के बारे में सवाल" })).toBeVisible();
    expect(await wide(client)).toBeLessThanOrEqual(viewport.width);

    await context.setOffline(true);
    await client.locator("textarea").first().fill("सप्लायरों ने अप्रैल में बताया।");
    await expect(client.getByText(/इंटरनेट नहीं है/)).toBeVisible();
    await context.setOffline(false);
    await expect(client.getByText("भेज दिया")).toBeVisible();
    await context.close();
  },
);
