import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// Debian's Chromium without a window, which uses a quarter less of the machine than the whole browser; elsewhere
// Playwright's own.
const debian = "/usr/bin/chromium-headless-shell";

// `make soak` and `make gallery` run with animations; otherwise they are off, as for people who ask for that. Then
// nothing moves while it is measured or clicked, and no frames are drawn while a test waits.
const whole = process.env.PICTURES !== undefined || process.env.SOAK !== undefined;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/setup.ts",
  workers: 2,
  // Long, because a machine that is busy with other work is no failure, and because `make gallery` checks each state
  // in many ways.
  timeout: process.env.PICTURES === undefined ? 240_000 : 600_000,
  expect: { timeout: 60_000 },
  grepInvert: whole ? undefined : /@soak/,
  forbidOnly: process.env.CI !== undefined,
  reporter: [["list"], ["html", { open: "never" }]],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: "en-IN",
    // A click that is impossible fails after a minute and names its line; otherwise the whole test would time out.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    contextOptions: whole ? {} : { reducedMotion: "reduce" },
    // With Playwright's description of the page at that time; a trace (--trace on) takes a quarter of the time.
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: existsSync(debian) ? debian : undefined,
      args: ["--no-sandbox", "--disable-background-networking"],
    },
  },
  projects: [
    // Tests with an OpenAI-compatible endpoint that streams. Its stand-in has one address, so they run one at a time:
    // they begin first, beside others.
    {
      name: "model",
      workers: 1,
      testMatch:
        /(checks|drafting|gate|hostile|lawyer|legalops|model|plugin|proposed|quotations|replay|reply|summary)\.spec\.ts/,
    },
    // Tests of the limit of free uses. They wait for the end of a paid period, beside others that work.
    { name: "accounts", testMatch: /account\.spec\.ts/ },
    // The product with its default settings: no key, the offline engine answers.
    {
      name: "offline",
      testIgnore: /(account|checks|gate|hostile|legalops|model|plugin|proposed|quotations|replay)\.spec\.ts/,
    },
  ],
});
