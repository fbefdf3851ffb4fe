import type { Page } from "@playwright/test";
import { expect, soak, test, wide } from "./test";

// The landing page, which the server renders completely. The stack has no parent brand and no consultation to offer:
// Go tests cover those.

const questions = (page: Page) => page.locator("#questions details");

test("it is there whole, in what the server sends", async ({ page, picture, accessible }) => {
  await page.goto("/");
  await expect(page).toHaveTitle(/^Munshi: read the notice/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Read the notice before you fear it.");
  await expect(page.locator("#features article h3")).toHaveText([
    "AI Legal Assistant",
    "Notice Analysis",
    "Smart Drafting",
    "Document Summarizer",
  ]);
  await expect(page.locator("#benefits article h3")).toHaveText([
    "Legal Compliance",
    "Risk Mitigation",
    "Time Efficiency",
    "Document Management",
  ]);
  await expect(questions(page)).toHaveCount(6);
  // And no address to write to, since none is configured.
  await expect(page.getByRole("contentinfo").getByRole("link")).toHaveText(["Privacy", "Terms", "Refunds"]);
  for (const image of await page.locator("main img").all()) {
    await image.scrollIntoViewIfNeeded();
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    // The space reserved for the picture has its proportions, or the page would jump.
    const { given, made } = await image.evaluate((one: HTMLImageElement) => ({
      given: Number(one.getAttribute("width")) / Number(one.getAttribute("height")),
      made: one.naturalWidth / one.naturalHeight,
    }));
    expect(given).toBeCloseTo(made, 2);
  }
  const data: unknown = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
  expect(data).toMatchObject({ "@type": "FAQPage" });
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  await picture("landing");
  await accessible();
  await page.getByRole("link", { name: "Get Started" }).click();
  await expect(page).toHaveURL(/\/app\/notices$/);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Read the notice before you fear it.");
});

test("one question is open at a time, and an open one closes", async ({ page }) => {
  await page.goto("/");
  const [first, second] = [questions(page).nth(0), questions(page).nth(3)];
  await first.locator("summary").click();
  await expect(first.locator("p")).toBeVisible();
  await second.locator("summary").press("Enter");
  await expect(second.locator("p")).toBeVisible();
  await expect(first.locator("p")).toBeHidden();
  await second.locator("summary").click();
  await expect(second.locator("p")).toBeHidden();
});

test("it speaks Hindi, and remembers it", async ({ page, picture, accessible }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "हिन्दी" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("डरने से पहले, नोटिस पढ़िए।");
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  await picture("landing-hindi");
  await accessible();
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible({ colours: true });
  await page.getByRole("link", { name: "English" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("the theme is the app's, and pictures follow it", async ({ page, picture, accessible }) => {
  await page.goto("/");
  const shown = () => page.locator("figure img").evaluate((image: HTMLImageElement) => image.currentSrc);
  await expect.poll(shown).toContain("whole-en-light");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect.poll(shown).toContain("whole-en-dark");
  await picture("landing-dark");
  await accessible();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect.poll(shown).toContain("whole-en-dark");
  await page.goto("/app/notices");
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
});

test("any other path leads here", async ({ page }) => {
  for (const path of ["/no/such/page", "/payment", "/index.html"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/^http:\/\/[^/]+\/$/);
  }
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Read the notice before you fear it.");
});

test("the links of the footer lead to their texts", async ({ page }) => {
  await page.goto("/");
  for (const [name, words] of [
    ["Privacy", "Digital Personal Data Protection Act, 2023"],
    ["Terms", "or a law firm"],
    ["Refunds", "Nothing is sold"],
  ] as const) {
    await page.getByRole("contentinfo").getByRole("link", { name }).click();
    await expect(page).toHaveURL(new RegExp(`#${name.toLowerCase()}$`));
    await expect(page.locator(`#${name.toLowerCase()}`)).toBeInViewport();
    await expect(page.locator(`#${name.toLowerCase()}`)).toContainText(words);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, colorScheme: "dark" });

  test("it reads, in the system's theme, and its questions open", async ({ page }) => {
    await page.goto("/");
    await expect(page.locator("body")).toHaveCSS("color", "rgb(236, 230, 218)"); // the text colour of the dark theme
    await expect(page.getByRole("button")).toHaveCount(0); // a switch without any effect is not shown
    await questions(page).nth(1).locator("summary").click();
    await expect(questions(page).nth(1).locator("p")).toBeVisible();
    await questions(page).nth(2).locator("summary").click();
    await expect(questions(page).nth(1).locator("p")).toBeHidden();
    await page.getByRole("link", { name: "हिन्दी" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("डरने से पहले, नोटिस पढ़िए।");
  });
});

test.describe("on a small phone", () => {
  test.use({ viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true });

  test("nothing is lost in either language", soak, async ({ page, picture, accessible }) => {
    for (const address of ["/", "/?lang=hi"]) {
      await page.goto(address);
      await expect.poll(() => wide(page)).toBe(320);
      const start = page.locator(".hero .button");
      await expect(start).toBeVisible();
      expect((await start.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await accessible();
    }
    await picture("landing-phone-hindi");
  });
});
