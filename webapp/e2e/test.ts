import { expect, test as base, type Locator, type Page } from "@playwright/test";
import path from "node:path";
import { grave } from "./axe";
import { keep } from "./gallery";
import { modelKey } from "./setup";
import { start, type Running } from "./stack";

export { expect };

/** A file of e2e/fixtures. */
export const fixture = (name: string) => path.resolve(import.meta.dirname, "fixtures", name);

/**
 * Returns the width of the page: if it is wider than its window, it scrolls sideways. It is polled, because a new
 * size takes a moment to draw.
 */
export const wide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Opens the workspace of the product at an address, and creates an account there. */
export async function signUp(page: Page, url = ""): Promise<string> {
  const email = `asha-${String(Date.now())}@example.com`;
  await page.goto(`${url}/app/lawyer`);
  await page.getByRole("button", { name: "Sign in" }).first().click();
  await page.getByRole("button", { name: "No account yet? Sign up" }).click();
  const form = page.getByRole("dialog", { name: "Sign up" });
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Password").fill("a good password");
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText(`Signed in as ${email}`)).toBeVisible();
  return email;
}

/** The Notice Analysis tab, with methods named after a person's actions. */
export class Notices {
  readonly box: Locator;
  readonly log: Locator;
  readonly live: Locator;
  readonly send: Locator;
  readonly stop: Locator;

  constructor(readonly page: Page) {
    this.box = page.getByPlaceholder("Type your message...");
    this.log = page.getByRole("log");
    this.live = page.getByTestId("live-turn");
    this.send = page.getByRole("button", { name: "Send" });
    this.stop = page.getByRole("button", { name: "Stop" });
  }

  async open(): Promise<void> {
    await this.page.goto("/app/notices");
    await expect(this.page.getByRole("heading", { name: "Upload a Notice to Begin" })).toBeVisible();
  }

  async choose(file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.page.getByTestId("file-input").setInputFiles(file);
  }

  /** Uploads a notice from the empty screen; its conversation is then on the screen. */
  async upload(file: string): Promise<void> {
    await this.open();
    await this.page.getByRole("button", { name: "Upload Notice" }).click();
    await this.choose(file);
    await this.page.waitForURL(/\/app\/notices\/[0-9a-f-]{36}$/);
  }

  /** Finished answers, oldest first. */
  answers(): Locator {
    return this.log.getByRole("article", { name: "Answer" });
  }

  /** Waits until the nth answer is complete and the next question can be asked. */
  async answered(count: number): Promise<void> {
    await expect(this.answers()).toHaveCount(count);
    await expect(this.live).toHaveCount(0);
  }
}

type Mood = { latency?: string; tokenDelay?: string; refuses?: boolean; answer?: string; hold?: string | string[] };

type Fixtures = {
  notices: Notices;
  /** Keeps a picture of the screen if pictures are wanted (PICTURES): they take a quarter of the tests' time. */
  picture: (name: string) => Promise<void>;
  /**
   * Fails on any serious or critical violation that axe finds on the screen; with the other theme, only its colours
   * are checked.
   */
  accessible: (of?: { colours: boolean }) => Promise<void>;
  /**
   * Starts the stand-in for a model, which ends with the test. After the words `hold` it waits for `goOn`, at each
   * occurrence.
   */
  model: (mood?: Mood) => Promise<Running & { goOn: () => Promise<void> }>;
  /** Fails a test whose page threw an error, broke the content policy or sent a request to another host. */
  clean: { allow: (message: RegExp) => void };
};

/**
 * Tests whose subject another test also covers, on another screen or by other means: run by `make soak` and `make
 * gallery`.
 */
export const soak = { tag: "@soak" };

export const test = base.extend<Fixtures>({
  baseURL: async ({}, use, info) => {
    const { MUNSHI_E2E_MODEL: model, MUNSHI_E2E_ACCOUNTS: accounts, MUNSHI_E2E_OFFLINE: offline } = process.env;
    const url = { model, accounts }[info.project.name] ?? offline;
    if (url === undefined) throw new Error("the stack was not started");
    await use(url);
  },
  notices: async ({ page }, use) => {
    await use(new Notices(page));
  },
  picture: async ({ page }, use, info) => {
    await use(async (name) => {
      if (process.env.PICTURES === undefined) return;
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({
        path: path.resolve(import.meta.dirname, "../screenshots", `${info.project.name}-${name}.png`),
        animations: "disabled",
      });
      await keep(page, name);
    });
  },
  accessible: async ({ page }, use) => {
    await use(async (of) => {
      // A toast may be fading in at that moment, but a lasting fault fails. Checks are counted, not timed: one takes
      // half a second, and many on a busy machine.
      let found = await grave(page, of);
      for (let look = 1; look < 3 && found.length > 0; look++) found = await grave(page, of);
      expect(found).toEqual([]);
    });
  },
  model: async ({}, use) => {
    const address = process.env.MUNSHI_E2E_MODEL_ADDRESS;
    if (address === undefined) throw new Error("the stack was not started");
    const started: Running[] = [];
    await use(async ({ latency = "50ms", tokenDelay = "5ms", refuses = false, answer, hold = [] } = {}) => {
      const key = refuses ? "another-key" : modelKey;
      const running = start(
        "fakemodel",
        [
          "--addr",
          address,
          "--latency",
          latency,
          "--token-delay",
          tokenDelay,
          "--key",
          key,
          ...[hold].flat().flatMap((words) => ["--hold", words]),
          ...(answer === undefined ? [] : ["--answer", answer]),
        ],
        {},
        /answers at/,
        "fakemodel",
      );
      started.push(running);
      await running.ready;
      const goOn = async () => {
        await fetch(`http://${address}/go-on`, { method: "POST" });
      };
      return { ...running, goOn };
    });
    await Promise.all(started.map((running) => running.stop()));
  },
  clean: [
    async ({ page, baseURL }, use) => {
      const faults: string[] = [];
      const allowed: RegExp[] = [];
      page.on("pageerror", (error) => faults.push(`threw: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(`console: ${message.text()}`);
      });
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== baseURL) faults.push(`asked ${request.url()}`);
      });
      await use({ allow: (message) => allowed.push(message) });
      expect(faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))).toEqual([]);
    },
    { auto: true },
  ],
});
