// What typing feels like while an answer is written: opens a conversation, asks, and types and scrolls for some seconds while the answer
// streams in. Prints as JSON how long interactions took until something was painted. node typing.mjs WEBAPP URL COOKIE CONVERSATION
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import path from "node:path";

const [webapp, url, cookie, conversation] = process.argv.slice(2);
const { chromium } = createRequire(path.join(webapp, "package.json"))("@playwright/test");
const debian = "/usr/bin/chromium-headless-shell";
const browser = await chromium.launch({ executablePath: existsSync(debian) ? debian : undefined, args: ["--no-sandbox", "--disable-background-networking"] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-IN" });
const [name, value] = cookie.split("=");
await context.addCookies([{ name, value, url }]);
const page = await context.newPage();
await page.addInitScript(() => {
  window.took = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId > 0) window.took.set(interactionId, Math.max(window.took.get(interactionId) ?? 0, duration));
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
});
await page.goto(`${url}/app/notices/${conversation}`);
const answers = page.getByRole("log").getByRole("article");
await answers.nth(150).waitFor({ state: "attached" });
const box = page.getByRole("textbox", { name: "Type your message..." });
await box.fill("Write at length.");
await box.press("Enter");
await page.getByText("It is written at length.").first().waitFor();
await page.evaluate(() => window.took.clear());
const before = (await page.getByRole("main").innerText()).length;
const keys = "And what of the penalty? ";
for (let n = 0; n < 6; n++) {
  await box.click();
  await page.keyboard.type(keys, { delay: 60 });
  await page.mouse.wheel(0, -300);
  await page.waitForTimeout(150);
  await page.mouse.wheel(0, 600);
  await page.waitForTimeout(150);
}
const took = await page.evaluate(() => [...window.took.values()]);
const letters = (await page.getByRole("main").innerText()).length - before;
await browser.close();
took.sort((a, b) => b - a);
// As INP counts: of each fifty interactions the worst is left out. What is faster than the browser tells of is not listed.
const all = 6 * (keys.length + 1);
process.stdout.write(JSON.stringify({ inp: took[Math.floor(all / 50)] ?? 16, worst: took[0] ?? 16, all, letters }));
