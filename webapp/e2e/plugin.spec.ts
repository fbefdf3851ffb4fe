import { cpSync } from "node:fs";
import path from "node:path";
import { expect, Notices, test, wide } from "./test";

const examples = path.resolve(import.meta.dirname, "../../prompts/_examples");

test("a plugin of files alone is dropped into the running product and used", async ({
  page,
  model,
  picture,
  accessible,
}) => {
  test.slow(); // many screens, each checked by axe
  const prompts = process.env.MUNSHI_E2E_PROMPTS;
  if (prompts === undefined) throw new Error("the stack was not started");
  await model();
  await page.goto("/app/notices");
  const tabs = page.getByRole("navigation", { name: "Workspace" }).getByRole("link");
  await expect(tabs).toHaveText(["AI Lawyer", "Notice Analysis", "AI Drafting", "Document Summarizer"]);

  cpSync(path.join(examples, "contract-review"), path.join(prompts, "contract-review"), { recursive: true });
  await expect(tabs.nth(4)).toHaveText("Contract Review"); // no restart, no reload
  await tabs.nth(4).click();
  await expect(page.getByRole("heading", { name: "Have a Contract Reviewed" })).toBeVisible();
  await picture("plugin-form");
  await accessible();

  const review = page.getByRole("button", { name: "Review the contract" });
  await expect(review).toBeDisabled();
  await page.getByRole("radio", { name: "Supplier or seller" }).check({ force: true });
  await page.getByRole("textbox", { name: /State where it is signed/ }).fill("Maharashtra");
  await page.getByTestId("file-input").setInputFiles(path.join(examples, "contract.pdf"));
  await picture("plugin-form-filled");
  await accessible();
  await review.click();
  await page.waitForURL(/\/app\/contract-review\/[0-9a-f-]{36}$/);

  const talk = new Notices(page);
  await expect(
    talk.log.getByText("I have uploaded a contract for review. I act for: Supplier or seller."),
  ).toBeVisible();
  await talk.answered(1);
  const block = page.getByRole("region", { name: "Required Documents" });
  await block.getByRole("listitem").first().getByRole("button").click();
  await page.getByTestId("file-input").setInputFiles(path.join(examples, "schedule-a.pdf"));
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await talk.answered(2);

  const box = page.getByPlaceholder("Ask about this contract...");
  await box.fill("Does clause 7.1 bind us?");
  await box.press("Enter");
  await talk.answered(3);
  await picture("plugin-conversation");
  await accessible();

  await page.setViewportSize({ width: 390, height: 844 });
  await picture("plugin-phone-conversation");
  await page.getByRole("link", { name: "Start again" }).click();
  await expect(page.getByRole("region", { name: "Earlier" }).getByRole("link")).toHaveCount(1);
  await expect.poll(() => wide(page)).toBe(390);
  await picture("plugin-phone");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("radio", { name: "Dark" }).click();
  await accessible();
  await picture("plugin-dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await picture("plugin-phone-dark");
});
