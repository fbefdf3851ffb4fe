import { readFileSync } from "node:fs";
import { expect, fixture, signUp, soak, test, wide } from "./test";

// What a server does with uploads is tested in orchestrator/app (intake, matters); here is the way through the screens.
test(
  "a firm uploads documents together, looks through them, and assigns a matter",
  soak,
  async ({ page, picture, accessible, clean }) => {
    clean.allow(/401|404/);
    await signUp(page);
    await expect(page.getByRole("link", { name: "Matters" })).toHaveCount(0); // nothing of a firm for who has none
    await page.goto("/app/firms/new");
    const form = page.locator("main form");
    await form.getByRole("textbox").first().fill("Rao & Associates");
    await form.getByRole("textbox").nth(1).fill("Asha Rao");
    await form.getByRole("button", { name: "Set up the firm" }).click();
    await page.waitForURL(/\/firm\/[0-9a-f-]{36}\//);
    await page.getByRole("link", { name: "Matters" }).click();
    await expect(page.getByRole("heading", { name: "New documents", level: 1 })).toBeVisible();
    await expect(page.getByText("Nothing new to look at.")).toBeVisible();
    await accessible();
    await picture("intake-empty");

    const pdf = (name: string, file: string) => ({
      name,
      mimeType: "application/pdf",
      buffer: readFileSync(fixture(file)),
    });
    await page
      .getByTestId("intake-input")
      .setInputFiles([
        pdf("show cause.pdf", "drc-01.pdf"),
        pdf("show cause (1).pdf", "drc-01.pdf"),
        pdf("broken.pdf", "damaged.pdf"),
        pdf("registration.pdf", "reg-17-scan.pdf"),
        pdf("no date.pdf", "open-date.pdf"),
      ]);
    const list = page.getByRole("region", { name: "To look at" });
    await expect(list.getByRole("listitem").filter({ has: page.getByRole("button", { name: /Delete/ }) })).toHaveCount(
      3,
    );
    await expect(page.getByRole("region", { name: "Recent uploads" })).toContainText("reading complete");
    const refused = page.getByRole("region", { name: "Not accepted" });
    await expect(refused).toContainText("This PDF is damaged");
    await expect(refused).toContainText("Uploaded before");
    await accessible();
    await picture("intake");
    await page.screenshot({ path: "screenshots/firm-triage.png", fullPage: true });

    await list
      .getByRole("button", { name: /Choose where/ })
      .first()
      .click();
    await expect(page.getByRole("dialog", { name: "Where does it belong?" })).toBeVisible();
    await accessible();
    await picture("intake-choose");
    await page.screenshot({ path: "screenshots/firm-choose.png" });
    await page.keyboard.press("Escape");

    await list.getByRole("combobox").first().selectOption({ label: "Asha Rao" });
    await page.emulateMedia({ colorScheme: "dark" });
    await accessible({ colours: true });
    await page.screenshot({ path: "screenshots/firm-triage-dark.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-triage-phone-dark.png" });
    await page.emulateMedia({ colorScheme: "light" });
    const rows = page.locator("main ul").last();
    await rows.scrollIntoViewIfNeeded();
    await page.screenshot({ path: "screenshots/firm-triage-phone.png" });
    await page.setViewportSize({ width: 1440, height: 900 });

    await list
      .getByRole("button", { name: /Accept/ })
      .first()
      .click();
    await expect(list.getByRole("button", { name: /Delete/ })).toHaveCount(2);
    await page.getByRole("link", { name: "Matters", exact: true }).last().click();
    await expect(page.getByRole("heading", { name: "Matters", level: 1 })).toBeVisible();
    await expect(page.getByText(/\d matters?$/)).toBeVisible();
    await accessible();
    await picture("matters");
    await page.screenshot({ path: "screenshots/firm-matters.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-matters-phone.png" });
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
    await expect(page.getByRole("heading", { name: "Notices and orders" })).toBeVisible();
    await page.getByLabel("State").selectOption("drafting");
    await expect(page.getByText("changed the state: Drafting")).toBeVisible();
    await accessible();
    await picture("matter");
    await page.screenshot({ path: "screenshots/firm-matter.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-matter-phone.png", fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("radio", { name: "हिन्दी" }).click();
    await expect(page.getByRole("heading", { name: "नोटिस और आदेश" })).toBeVisible();
    await page.screenshot({ path: "screenshots/firm-matter-hindi.png", fullPage: true });
    await page.getByRole("navigation", { name: "मामले और नए दस्तावेज़" }).getByRole("link", { name: "नए दस्तावेज़" }).click();
    await expect(page.getByRole("heading", { name: "देखना बाकी" })).toBeVisible();
    await accessible();
    await page.screenshot({ path: "screenshots/firm-triage-hindi.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-triage-hindi-phone.png" });
  },
);
