import type { Page } from "@playwright/test";
import { expect, fixture, Notices, test, wide } from "./test";

const types = ["Legal Notice", "Agreement", "Affidavit", "Legal Reply", "Petition"];
const wanted = "Book-keeping for Sharma Traders by a freelance accountant,\n₹15,000 a month from 1 December 2026.";

/** The AI Drafting tab's form. */
async function open(page: Page) {
  await page.goto("/app/drafting");
  await expect(page.getByRole("heading", { name: "Draft a Legal Document" })).toBeVisible();
  return {
    type: page.getByRole("combobox", { name: "Document type" }),
    details: page.getByRole("textbox", { name: "Requirements and Details" }),
    generate: page.getByRole("button", { name: "Generate Draft" }),
  };
}

test("with a model, each of the five documents is drafted, checked, kept and taken out", async ({
  page,
  model,
  picture,
  accessible,
}, info) => {
  test.skip(info.project.name !== "model", "the model's stand-in drafts here");
  const standIn = await model({ answer: fixture("agreement.md"), tokenDelay: "0ms" });
  const { type, details, generate } = await open(page);
  const talk = new Notices(page);
  await expect(type.getByRole("option")).toHaveText(["Choose one", ...types]);
  await expect(details).toHaveAttribute("rows", "6");
  await expect(generate).toBeDisabled();
  await details.fill("  \n ");
  await type.selectOption("Agreement");
  await expect(generate).toBeDisabled(); // requirements of spaces only count as empty
  await details.fill(wanted);
  await picture("drafting-form");
  for (const name of types) {
    await type.selectOption(name);
    await generate.click();
    await page.waitForURL(/\/app\/drafting\/[0-9a-f-]{36}$/);
    await talk.answered(1);
    await expect(talk.answers().getByRole("heading", { name: "SERVICE AGREEMENT" })).toBeVisible();
    await expect(page.getByText("Saved to Draft History.")).toBeVisible();
    if (name === "Agreement") {
      await expect(talk.log.getByText("Agreement – Book-keeping for Sharma Traders")).toBeVisible();
      await expect(page.getByRole("link", { name: "Download as Word" })).toHaveAttribute(
        "href",
        /^\/api\/drafts\/[0-9a-f-]{36}\/word$/,
      );
      await picture("drafting-result");
      await accessible();
      await page.setViewportSize({ width: 390, height: 844 });
      await picture("drafting-phone-result");
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    if (name === "Petition") break;
    await page.getByRole("link", { name: "Generate Another Draft" }).click();
    await expect(details).toHaveValue(wanted); // the request stays until it is cleared
  }
  await page.getByRole("link", { name: "Edit" }).click();
  await page.waitForURL(/\/app\/drafts\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: /^Petition – Book-keeping for Sharma Traders/ })).toBeVisible();
  await page.goto("/app/drafts");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(5);

  await standIn.stop(); // no model answers now: the failure is shown, and Retry works
  await open(page);
  await page.getByRole("button", { name: "Clear the form" }).click();
  await expect(details).toHaveValue("");
  await type.selectOption("Affidavit");
  await details.fill("That I live in Pune");
  await generate.click();
  await page.waitForURL(/\/app\/drafting\/[0-9a-f-]{36}$/);
  await expect(talk.live).toContainText("Asking again");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(talk.log.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Download as Word" })).toHaveCount(0);
  await model({ answer: fixture("agreement.md"), tokenDelay: "0ms" });
  await talk.log.getByRole("button", { name: "Retry" }).click();
  await talk.answered(1);
  await expect(page.getByText("Saved to Draft History.")).toBeVisible();
});

test("without a model the empty form is drafted and says so; a template is filled in with what is known of a notice", async ({
  page,
  notices,
  picture,
  accessible,
}, info) => {
  test.skip(info.project.name === "model", "the offline engine drafts here");
  const { type, details, generate } = await open(page);
  await type.selectOption("Legal Notice");
  await details.fill("Recover ₹4,50,000 from a customer");
  await page.reload();
  await expect(details).toHaveValue("Recover ₹4,50,000 from a customer"); // typed words survive a reload
  await generate.click();
  await page.waitForURL(/\/app\/drafting\/[0-9a-f-]{36}$/);
  const talk = new Notices(page);
  await talk.answered(1);
  await expect(talk.answers()).toContainText("No language model wrote this.");
  await expect(talk.answers().getByRole("heading", { name: "LEGAL NOTICE" })).toBeVisible();
  await expect(page.getByText("Saved to Draft History.")).toBeVisible();
  await picture("drafting-offline");

  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  await page.getByRole("button", { name: "Templates" }).click();
  const sidebar = page.getByRole("complementary", { name: "Menu" });
  await expect(sidebar.getByRole("heading", { name: "Templates" })).toBeVisible();
  await sidebar.getByRole("link", { name: "Search the templates" }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("listitem")).toHaveCount(21);
  await picture("templates");
  await main.getByRole("combobox", { name: "Category" }).selectOption("Applications");
  await expect(main.getByRole("listitem")).toHaveCount(7);
  await main.getByRole("combobox", { name: "Category" }).selectOption("All");
  await main.getByRole("searchbox").fill("drc-06 fraud");
  await main.getByRole("link", { name: "Reply to a show cause notice under section 73" }).click();
  await expect(main.getByRole("heading", { name: "REPLY TO SHOW CAUSE NOTICE" })).toBeVisible();
  const from = main.getByRole("combobox", { name: "Fill in from" });
  // The notice that it answers comes first.
  await expect(from.locator("optgroup").first()).toHaveAttribute("label", "DRC-01");
  await accessible();
  await picture("template");
  await from.selectOption({ index: 1 });
  await main.getByRole("button", { name: "Use this template" }).click();
  await page.waitForURL(/\/app\/drafts\/[0-9a-f-]{36}$/);
  await expect(
    main.getByRole("heading", { name: /^Reply to a show cause notice under section 73 · DRC-01/ }),
  ).toBeVisible();
  await expect(main.getByText("27ZAPCS4821K1Z6").first()).toBeVisible();
  await picture("template-draft");
  await page.getByRole("radio", { name: "Dark" }).click();
  await picture("template-draft-dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/app/templates");
  await expect(main.getByRole("listitem")).toHaveCount(21);
  await expect.poll(() => wide(page)).toBe(390);
  await picture("templates-phone-dark");
});
