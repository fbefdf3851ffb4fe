import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// Debian's Chromium without a window, which takes a quarter less of the machine than the whole browser;
// elsewhere Playwright's own.
const debian = "/usr/bin/chromium-headless-shell";

// `make soak` and `make gallery` see the app move; else it stands still, as for people who ask for that: what is
// measured or clicked is where it stays, and no frames are drawn while a test waits.
const whole = process.env.PICTURES !== undefined || process.env.SOAK !== undefined;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/setup.ts",
  workers: 2,
  // Long, since a machine that is busy with other work is no failure; `make gallery` looks at each state in many ways.
  timeout: process.env.PICTURES === undefined ? 240_000 : 600_000,
  expect: { timeout: 60_000 },
  grepInvert: whole ? undefined : /@soak/,
  forbidOnly: process.env.CI !== undefined,
  reporter: [["list"], ["html", { open: "never" }]],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: "en-IN",
    // A click that cannot be made fails after a minute and names its line; otherwise the whole test would time out.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    contextOptions: whole ? {} : { reducedMotion: "reduce" },
    screenshot: "only-on-failure", // with what Playwright says of the page then; a trace (--trace on) takes a quarter of the time
    launchOptions: {
      executablePath: existsSync(debian) ? debian : undefined,
      args: ["--no-sandbox", "--disable-background-networking"],
    },
  },
  projects: [
    // An OpenAI-compatible endpoint that streams. Its stand-in has one address, so one test at a time: they begin
    // first, beside others.
    {
      name: "model",
      workers: 1,
      testMatch:
        /(checks|drafting|gate|hostile|lawyer|legalops|model|plugin|proposed|quotations|replay|reply|summary)\.spec\.ts/,
    },
    // The limit of free uses. They wait for what they paid for to end, beside others that work.
    { name: "accounts", testMatch: /account\.spec\.ts/ },
    // The product as it comes: no key, the offline engine answers.
    {
      name: "offline",
      testIgnore: /(account|checks|gate|hostile|legalops|model|plugin|proposed|quotations|replay)\.spec\.ts/,
    },
  ],
});
