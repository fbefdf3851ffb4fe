import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Browser, type Page } from "@playwright/test";
import { startStack, type Stack } from "../e2e/stack";
import { Notices, fixture } from "../e2e/test";

// With no key the offline engine answers, so that everyone who runs this gets the same pictures.
const folder = path.resolve(import.meta.dirname, "../landing/pictures");
const docs = path.resolve(import.meta.dirname, "../../docs");
const drc = fixture("drc-01.pdf");
// Between the notice and its reply date, so that the days left are those that the recipient of such a notice would
// see.
const received = new Date("2024-12-17T10:00:00+05:30");

let stack: Stack;
test.beforeAll(async () => {
  stack = await startStack("pictures", { MUNSHI_MODEL_PROVIDER: "offline", MUNSHI_ACCOUNT_FREE_USES: "2" });
});
test.afterAll(() => stack.stop());

type Look = { name: string; width: number; height: number; phone?: boolean; scale?: number };

type Language = "en" | "hi";

/** Brings up a screen once in each language, with the answers in it, and takes its picture in both themes. */
async function take(
  browser: Browser,
  { name, width, height, phone = false, scale = 1.5 }: Look,
  bring: (page: Page, language: Language) => Promise<void>,
  also?: (page: Page) => Promise<void>,
) {
  for (const language of ["en", "hi"] as const) {
    const context = await browser.newContext({
      baseURL: stack.url,
      viewport: { width, height },
      deviceScaleFactor: scale,
      isMobile: phone,
      hasTouch: phone,
      locale: "en-IN",
      timezoneId: "Asia/Kolkata",
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(received);
    await page.addInitScript((language) => {
      localStorage.setItem("munshi.answers", language);
    }, language);
    await bring(page, language);
    await page.evaluate((language) => {
      localStorage.setItem("munshi.language", language);
      dispatchEvent(new StorageEvent("storage", { key: "munshi.language" })); // as if another tab had chosen
    }, language);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
      await page.evaluate(() => document.fonts.ready);
      await page.waitForTimeout(400); // the pages of the document are drawn again
      const png = await page.screenshot({ animations: "disabled", caret: "hide" });
      writeFileSync(path.join(folder, `${name}-${language}-${theme}.webp`), await webp(page, png, 0.8));
      if (language === "en" && theme === "light") await also?.(page);
    }
    await context.close();
  }
}

/** The browser itself knows how to write WebP. */
async function webp(page: Page, png: Buffer, quality: number): Promise<Buffer> {
  const sheet = await page.context().newPage();
  const encoded = await sheet.evaluate(
    async ([source, quality]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    [png.toString("base64"), quality] as const,
  );
  await sheet.close();
  return Buffer.from(encoded, "base64");
}

/** Uploads the sample notice and waits until it is read and its pages are drawn. */
async function analysed(page: Page) {
  const notices = new Notices(page);
  await notices.upload(drc);
  await notices.answered(1);
  await expect(page.getByText("6 January 2025").first()).toBeVisible();
}

test("the notice, whole", async ({ browser }) => {
  await take(
    browser,
    { name: "whole", width: 1400, height: 860 },
    async (page) => {
      await analysed(page);
      await expect(page.locator("canvas").first()).toBeVisible();
      // The text of the landing page beside this picture.
      const brief = page.getByRole("complementary", { name: "What the notice says" });
      for (const fact of ["DRC-01", "6 January 2025", "₹9,68,058", "Printed in the notice"])
        await expect(brief).toContainText(fact);
      await page.mouse.move(0, 0);
    },
    async (page) => {
      await page.screenshot({
        path: path.join(docs, "notice.png"),
        scale: "css",
        animations: "disabled",
        caret: "hide",
      });
    },
  );
});

test("the notice on a phone", async ({ browser }) => {
  await take(browser, { name: "phone", width: 390, height: 720, phone: true, scale: 2 }, async (page) => {
    await analysed(page);
    await page.getByRole("tab", { name: "Brief" }).tap();
    await expect(page.getByText("₹9,68,058").first()).toBeAttached();
  });
});

test("the four desks", async ({ browser }) => {
  const desk = { width: 630, height: 420, scale: 2 };
  await take(browser, { name: "lawyer", ...desk }, async (page, language) => {
    await page.goto("/app/lawyer");
    await page.getByRole("button", { name: "Tax Law" }).click();
    await page
      .getByRole("textbox", { name: /^Ask/ })
      .fill(
        language === "hi"
          ? "नोटिस धारा 73 के आखिरी दिन के बाद का है। मैं क्या जवाब दूँ?"
          : "The notice is dated after the last day under section 73. What do I say?",
      );
  });
  await take(browser, { name: "notice", ...desk }, async (page) => {
    await analysed(page);
    await page.getByRole("tab", { name: "Brief" }).click();
    await page.getByRole("link", { name: "page 1: Reply date" }).click();
    await expect(page.locator("mark").first()).toBeInViewport();
  });
  await take(browser, { name: "drafting", ...desk }, async (page, language) => {
    await page.goto("/app/drafting");
    await page.getByRole("combobox", { name: "Document type" }).selectOption("Agreement");
    await page
      .getByRole("textbox", { name: "Requirements and Details" })
      .fill(
        language === "hi"
          ? "शर्मा ट्रेडर्स का हिसाब-किताब रखना, ₹15,000 महीना"
          : "Book-keeping for Sharma Traders, ₹15,000 a month",
      );
    await page.getByRole("button", { name: "Generate Draft" }).click();
    await page.waitForURL(/\/app\/drafting\/[0-9a-f-]{36}$/);
    await expect(page.getByRole("link", { name: "Download as Word" })).toBeVisible();
    await page.getByRole("heading", { name: "AGREEMENT", exact: true }).evaluate((heading) => {
      heading.scrollIntoView({ block: "start", behavior: "instant" });
    });
  });
  await take(browser, { name: "summary", ...desk }, async (page) => {
    await page.goto("/app/summary");
    await page.getByTestId("file-input").setInputFiles(drc);
    await page.waitForURL(/\/app\/summary\/[0-9a-f-]{36}$/);
    await new Notices(page).answered(1);
    await page
      .getByRole("heading", { name: /Dates|तारीखें/ })
      .first()
      .evaluate((heading) => {
        heading.scrollIntoView({ block: "start", behavior: "instant" });
      });
  });
});

test("the picture that is shown where a link is shared", async ({ browser }) => {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 630 },
    baseURL: stack.url,
    colorScheme: "light",
  });
  await page.goto("/");
  const mark = readFileSync(path.resolve(import.meta.dirname, "../public/favicon.svg"), "utf8");
  await page.evaluate((mark) => {
    document.body.innerHTML = `<div class="card"><p class="name">${mark}<span>Munshi</span></p><h1>Read the notice before you fear it.</h1><p class="foot">An AI legal assistant for Indian GST</p></div>`;
    const style = document.createElement("style");
    style.textContent = `
      body { max-width: none; height: 630px; }
      .card { position: relative; height: 630px; padding: 60px 70px 56px 190px; display: flex; flex-direction: column; background: var(--paper); }
      .card::before { content: ""; position: absolute; inset-block: 0; left: 136px; border-left: 5px double var(--rule-strong); }
      .card .name { display: flex; gap: 18px; align-items: center; font: 600 40px/1 var(--serif); }
      .card .name svg { width: 56px; }
      .card h1 { margin: auto 0; font-size: 104px; line-height: 1.02; max-width: 12ch; }
      .card .foot { font: 400 32px/1.2 var(--sans); color: var(--ink-soft); }`;
    document.head.append(style);
  }, mark);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: path.resolve(import.meta.dirname, "../public/social.png") });
  await page.close();
});
