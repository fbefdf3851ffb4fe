// What people wait for: opens the landing page and the workspace of a running product in Chromium, as often as is asked for, each time
// with nothing cached and a CPU four times slower, and prints as JSON when the largest content was painted, how much the layout
// moved, and what came over the wire. node pages.mjs WEBAPP URL RUNS
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import path from "node:path";

const [webapp, url, runs] = process.argv.slice(2);
const { chromium } = createRequire(path.join(webapp, "package.json"))("@playwright/test");
const debian = "/usr/bin/chromium-headless-shell";
const browser = await chromium.launch({ executablePath: existsSync(debian) ? debian : undefined, args: ["--no-sandbox", "--disable-background-networking"] });

const screens = [
  { name: "landing page, desk", path: "/", viewport: { width: 1440, height: 900 } },
  { name: "landing page, phone", path: "/", viewport: { width: 390, height: 844 }, isMobile: true, deviceScaleFactor: 2 },
  { name: "landing page in Hindi, phone", path: "/?lang=hi", viewport: { width: 390, height: 844 }, isMobile: true, deviceScaleFactor: 2 },
  { name: "workspace, desk", path: "/app", viewport: { width: 1440, height: 900 } },
];

async function measure({ path, ...look }) {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const kinds = new Map();
  const bytes = { script: 0, all: 0 };
  session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength;
    if (kinds.get(requestId) === "Script") bytes.script += encodedDataLength;
  });
  await page.addInitScript(() => {
    window.seen = { lcp: 0, cls: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.seen.lcp = entry.startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.seen.cls += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(url + path, { waitUntil: "networkidle" });
  await page.waitForFunction(() => window.seen.lcp > 0); // it is told a little after it was painted
  await page.waitForTimeout(500);
  const { lcp } = await page.evaluate(() => window.seen);
  const first = { ...bytes };
  // Whoever reads on: pictures that come late must not move what is read.
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
      scrollTo(0, y);
      await new Promise((drawn) => setTimeout(drawn, 30));
    }
  });
  await page.waitForLoadState("networkidle");
  const { cls } = await page.evaluate(() => window.seen);
  await context.close();
  return { lcp, cls, ...first };
}

await measure(screens[0]); // the browser's own first page is slower
const measured = [];
for (const { name, ...screen } of screens) {
  const got = [];
  for (let run = 0; run < Number(runs); run++) got.push(await measure(screen));
  got.sort((a, b) => a.lcp - b.lcp);
  measured.push({ name, lcp: got[Math.floor(got.length / 2)].lcp, worst: got.at(-1).lcp, cls: Math.max(...got.map(({ cls }) => cls)), script: got[0].script, all: got[0].all });
}
await browser.close();
process.stdout.write(JSON.stringify(measured));
