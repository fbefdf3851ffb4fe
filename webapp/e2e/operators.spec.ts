import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, fixture, test, wide } from "./test";

test("an operator comes in by the printed link, sees a mistake in a prompt, and what mending it changed", async ({
  page,
  notices,
  picture,
  accessible,
  browser,
  baseURL,
}) => {
  const { MUNSHI_E2E_OFFLINE_PROMPTS: prompts, MUNSHI_E2E_OFFLINE_OPERATORS: link } = process.env;
  if (prompts === undefined || link === undefined) throw new Error("the stack was not started");
  const tone = path.join(prompts, "_shared", "tone.md");
  const edit = (from: string, to: string) => {
    const text = readFileSync(tone, "utf8");
    expect(text).toContain(from);
    writeFileSync(tone, text.replace(from, to));
  };

  await page.goto("/app/notices");
  await expect(page.getByRole("heading", { name: "Upload a Notice to Begin" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Operators" })).toHaveCount(0);

  await page.goto(link);
  await expect(page.getByRole("button", { name: "Become an operator" })).toBeVisible();
  await picture("operator-link");
  await accessible();
  await page.getByRole("button", { name: "Become an operator" }).click();
  await expect(page).toHaveURL(/\/app\/operators$/);
  await expect(page.getByText("The prompt files have no mistakes.")).toBeVisible();
  await expect(page.getByRole("complementary").getByRole("link", { name: "Operators" })).toBeVisible();

  edit("Plain English", "Plain {{ .todya }} English");
  const banner = page.getByRole("status").filter({ hasText: "the last good version stays live" });
  await expect(banner).toBeVisible(); // no reload
  const mistake = page.getByRole("region", { name: "Mistakes" }).getByRole("listitem").first();
  await expect(mistake).toContainText("_shared/tone.md line 3");
  await expect(mistake).toContainText('Did you mean "today"?');
  await picture("operators-mistake");
  await accessible();

  edit("Plain {{ .todya }} English", "Plain and warm English");
  await expect(page.getByText("The prompt files have no mistakes.")).toBeVisible();
  await expect(banner).toHaveCount(0);
  await page.getByRole("button", { name: "Versions and prompts of notice" }).click();
  const diff = page.getByRole("region", { name: "What differs in _shared/tone.md" });
  await expect(diff.locator("ins")).toContainText("Plain and warm English");
  await expect(diff.locator("del")).toContainText("Plain English");
  await expect(page.getByLabel("After").locator("option:checked")).toContainText("(live)");

  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  await page.getByText("How this was written").click();
  await page.getByRole("button", { name: "Show the question" }).click();
  await expect(page.getByRole("region", { name: "System" })).toContainText("Plain and warm English");
  await picture("how-written");
  await accessible();

  await page.getByRole("complementary").getByRole("link", { name: "Operators" }).click();
  await expect(page.getByRole("link", { name: /^Open run/ }).first()).toHaveAttribute(
    "href",
    /\/namespaces\/default\/workflows\/turn-[0-9a-f-]{36}$/,
  );
  await picture("operators");
  await accessible();
  await page.getByRole("radio", { name: "Dark" }).click();
  await accessible({ colours: true });
  await page.setViewportSize({ width: 320, height: 700 });
  await expect.poll(() => wide(page)).toBe(320);
  await picture("operators-phone-dark");

  const other = await browser.newPage({ baseURL });
  await other.goto(link);
  await other.getByRole("button", { name: "Become an operator" }).click();
  await expect(other.getByRole("alert")).toContainText("This link has already been used");
  await other.close();
});
