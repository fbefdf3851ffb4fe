import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { expect, fixture, signUp, soak, test, wide } from "./test";

/** Sends a request to the server as the page would. */
const ask = <Answer>(page: Page, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([path, body]) => {
      const base = /^\/firm\/[^/]+/.exec(location.pathname)?.[0] ?? "";
      const answer = await fetch(
        `${base}${path}`,
        body === undefined
          ? {}
          : { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } },
      );
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${text}`);
      return (text === "" ? null : JSON.parse(text)) as Answer;
    },
    [path, body] as const,
  );

// The server's refusals are tested in orchestrator/app (review, filed, comments); this test covers the screens.
test(
  "a reply goes from its preparer to its reviewer, is approved and filed, with comments and tasks on the way",
  soak,
  async ({ page, browser, accessible, clean }, info) => {
    test.skip(info.project.name !== "offline", "the offline engine drafts here");
    test.slow();
    clean.allow(/401|404|409/);
    await signUp(page);
    await page.goto("/app/firms/new");
    const form = page.locator("main form");
    await form.getByRole("textbox").first().fill("Rao & Associates");
    await form.getByRole("textbox").nth(1).fill("Asha Rao");
    await form.getByRole("button", { name: "Set up the firm" }).click();
    await page.waitForURL(/\/firm\/[0-9a-f-]{36}\//);
    const at = /\/firm\/[0-9a-f-]{36}/.exec(page.url())?.[0] ?? "";
    const { link } = await ask<{ link: string }>(page, "/api/firm/invitations", { role: "preparer" });
    const other = await (await browser.newContext()).newPage();
    await other.goto("/app");
    await signUp(other);
    await ask(other, "/api/invitations/accept", { token: link.split("#")[1], called: "Ravi Kumar" });

    await other.goto(`${at}/app/practice`);
    await other.getByTestId("intake-input").setInputFiles({
      name: "show cause.pdf",
      mimeType: "application/pdf",
      buffer: readFileSync(fixture("drc-01.pdf")),
    });
    await expect(other.getByRole("region", { name: "Recent uploads" })).toContainText("reading complete");
    const { matters } = await ask<{ matters: { id: string }[] }>(other, "/api/matters");
    const matter = matters[0]?.id ?? "";
    const { papers } = await ask<{ papers: { id: string }[] }>(other, `/api/matters/${matter}`);
    await ask(other, `/api/conversations/${papers[0]?.id ?? ""}/reply`, {});
    const drafted = () => ask<{ drafts: { id: string }[] }>(other, `/api/matters/${matter}`);
    const turnOf = async () =>
      (await ask<{ turn: { kind: string; state: string } | null }>(other, `/api/conversations/${papers[0]?.id ?? ""}`))
        .turn;
    await expect.poll(turnOf).toMatchObject({ kind: "reply", state: "answered" });
    const draft = (await drafted()).drafts[0]?.id ?? "";

    await other.goto(`${at}/app/drafts/${draft}`);
    await other.getByRole("button", { name: "Send for review" }).click();
    await expect(other.getByText("Only the reviewer can change it")).toBeVisible();
    await expect(other.getByRole("button", { name: /^Edit/ })).toHaveCount(0);
    await other.screenshot({ path: "screenshots/review-locked.png" });

    await page.goto(`${at}/app/drafts/${draft}`);
    await page
      .getByRole("button", { name: /^Comment on:/ })
      .first()
      .click();
    const say = page.getByRole("textbox", { name: /^Comment on:/ });
    await say.fill("Is this right, @Rav");
    await page.getByRole("button", { name: "@Ravi Kumar" }).click();
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await expect(page.getByText("Is this right,")).toBeVisible();
    await page
      .getByRole("button", { name: /^Edit:/ })
      .last()
      .click();
    await page.locator(".tiptap").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Most respectfully submitted.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("What changed since version")).toBeVisible();
    await accessible();
    await page.screenshot({ path: "screenshots/review-reviewer.png" });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/review-reviewer-phone.png" });
    await page.setViewportSize({ width: 1440, height: 900 });
    const across = () =>
      page
        .getByRole("article")
        .first()
        .evaluate((article) => getComputedStyle(article, "::before").content);
    await page.emulateMedia({ media: "print" });
    expect(await across()).toBe('"DRAFT"');
    await page.screenshot({ path: "screenshots/review-paper.png" });
    await page.emulateMedia({ media: null });
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText("Approved by Asha Rao,")).toBeVisible();
    await page.emulateMedia({ media: "print" });
    expect(await across()).toBe("none");
    await page.emulateMedia({ media: null });

    await other.goto(`${at}/app/practice/matters/${matter}`);
    await expect(other.getByLabel("State")).toHaveValue("approved");
    await other.getByRole("textbox", { name: "What needs to be done" }).fill("Call the officer");
    await other.getByRole("combobox", { name: "Who" }).selectOption({ label: "Ravi Kumar" });
    await other.getByRole("button", { name: "Add" }).click();
    await expect(other.getByRole("checkbox", { name: "Call the officer" })).toBeVisible();
    await other.getByRole("button", { name: "Record the filing…" }).click();
    await other.getByRole("textbox", { name: "ARN" }).fill("AD270125001234X");
    await other.screenshot({ path: "screenshots/review-filing.png" });
    await other.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect(other.getByText("AD270125001234X").first()).toBeVisible();
    await expect(other.getByLabel("State")).toHaveValue("filed");
    await other.screenshot({ path: "screenshots/review-matter.png", fullPage: true });
    await other.goto(`${at}/app/practice/matters`);
    await expect(other.getByRole("region", { name: "For you" })).toContainText("Call the officer");
    await other.screenshot({ path: "screenshots/review-matters.png" });
    await other.goto(`${at}/app/practice/matters/${matter}`);
    await other.getByRole("radio", { name: "हिन्दी" }).click();
    await expect(other.getByRole("heading", { name: "काम" })).toBeVisible();
    await other.screenshot({ path: "screenshots/review-matter-hindi.png", fullPage: true });
    await other.setViewportSize({ width: 360, height: 740 });
    expect(await wide(other)).toBeLessThanOrEqual(360);
    await other.screenshot({ path: "screenshots/review-matter-hindi-phone.png", fullPage: true });
    await other.goto(`${at}/app/drafts/${draft}`);
    await expect(other.getByText("Asha Rao ने मंज़ूर किया")).toBeVisible();
    await other.screenshot({ path: "screenshots/review-draft-hindi-phone.png" });
    await other.close();
  },
);
