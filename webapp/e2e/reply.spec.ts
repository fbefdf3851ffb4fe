import type { Locator, Page } from "@playwright/test";
import { expect, fixture, soak, test, wide } from "./test";

/** The reply beside its notice, with methods named after a person's actions. */
function replyOf(page: Page) {
  const region = page.getByRole("region", { name: "Reply", exact: true });
  const row = (name: string) =>
    region.getByRole("row").filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}\\b`) }) });
  return { region, row, draft: region.getByRole("article"), drafting: page.getByTestId("drafting") };
}

const partOf = (draft: Locator, name: string) => draft.getByRole("region", { name, exact: true });

test("a reply is prepared paragraph by paragraph, drafted, edited and gone back to", async ({
  page,
  context,
  notices,
  picture,
  accessible,
  clean,
}, info) => {
  test.skip(info.project.name !== "offline", "the offline engine drafts here");
  test.slow();
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  await page.getByRole("link", { name: "Reply", exact: true }).click();
  await expect(page).toHaveURL(/\/reply$/);
  const { region, row, draft } = replyOf(page);
  await expect(region).toContainText("FORM GST DRC-06");
  await expect(region).toContainText("Reply by 6 January 2025");
  await picture("reply");

  // With the keyboard alone: from the radio of the first paragraph to its facts.
  const first = row("Paragraph 1");
  await first.getByRole("radio", { name: "Not decided" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(first.getByRole("radio", { name: "Deny" })).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(first.getByRole("textbox", { name: "Paragraph 1: facts in response" })).toBeFocused();
  await page.keyboard.type("The suppliers reported these invoices in April 2021.");
  await expect(first.getByText("Saved")).toBeVisible();
  await first.getByRole("link", { name: /open page/ }).click();
  await expect(page).toHaveURL(/\/reply\?page=2/);
  await expect(page.locator(".page-mark").first()).toBeVisible();
  await page.reload();
  await expect(first.getByRole("radio", { name: "Deny" })).toBeChecked();
  await expect(first.getByRole("textbox", { name: "Paragraph 1: facts in response" })).toHaveValue(
    "The suppliers reported these invoices in April 2021.",
  );

  // Another tab saves something else for the same paragraph: both are shown, and the person chooses.
  clean.allow(/409 \(Conflict\)/);
  const facts = (of: Page) =>
    replyOf(of).row("Paragraph 1").getByRole("textbox", { name: "Paragraph 1: facts in response" });
  const faster = await context.newPage();
  await faster.goto(page.url());
  await facts(faster).fill("The credit was reversed.");
  await facts(faster).blur();
  await expect(replyOf(faster).row("Paragraph 1").getByText("Saved")).toBeVisible();
  await faster.close();
  await facts(page).fill("The suppliers reported these invoices in April 2021. It is available.");
  await expect(first.getByRole("region", { name: "Current version" }).first()).toContainText(
    "The credit was reversed.",
  );
  await picture("reply-matrix-conflict");
  await accessible();
  await first.getByRole("button", { name: "Keep mine" }).click();
  await expect(first.getByText("Saved")).toBeVisible();
  await page.reload();
  await expect(facts(page)).toHaveValue("The suppliers reported these invoices in April 2021. It is available.");

  await page.getByRole("button", { name: "Draft reply" }).click();
  await expect(page.getByRole("button", { name: "Update the draft" })).toBeEnabled();
  // The reply follows the notice: one part after the other, in its order.
  await expect(draft.getByRole("heading", { name: /^C\. Para-wise reply/ })).toBeVisible();
  const text = (await draft.textContent()) ?? "";
  const places = [
    "Brief facts",
    "Para-wise reply",
    "Reply to para 1",
    "Reply to para 2",
    "Prayer",
    "Index of annexures",
  ].map((words) => text.indexOf(words));
  expect(places.every((place, index) => place > (places[index - 1] ?? -1))).toBe(true);
  await expect(draft).toContainText("The suppliers reported these invoices in April 2021. It is available.");
  await draft.getByRole("button", { name: /blanks/ }).click();
  await expect(draft.locator("[data-now]")).toBeInViewport();
  await picture("reply-drafted");

  // Opening a part and looking around in it changes nothing.
  const story = draft.getByRole("region", { name: /Brief facts$/ });
  await story.getByRole("button", { name: /^Edit/ }).click();
  await story.getByRole("cell", { name: "Date of the notice" }).click();
  await expect(story.getByRole("button", { name: "Add a row" })).toBeVisible();
  await expect(story.getByText("Not saved yet")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(story.getByRole("button", { name: "Save" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(story.getByRole("textbox")).toHaveCount(0);

  // Its words are edited, and unsaved words survive a reload.
  const prayer = draft.getByRole("region", { name: /Prayer$/ });
  const before = await prayer.locator(".prose").innerText();
  await prayer.getByRole("button", { name: /^Edit/ }).click();
  const box = prayer.getByRole("textbox");
  await expect(box).toBeFocused();
  await page.keyboard.type("In the first place, ");
  await expect(prayer.getByText("Not saved yet")).toBeVisible();
  await picture("reply-editing");
  await accessible();
  await page.reload();
  await expect(box).toContainText("In the first place, ");

  // Another tab saves first: both texts are shown, and the person chooses.
  const id = (await draft.locator("[data-draft]").getAttribute("data-draft")) ?? "";
  const other = await context.newPage();
  await other.goto(`/app/drafts/${id}`);
  const theirs = other.getByRole("region", { name: /Prayer$/ });
  await theirs.getByRole("button", { name: /^Edit/ }).click();
  await expect(theirs.getByRole("textbox")).toBeFocused();
  await other.keyboard.type("From the other tab, ");
  await other.keyboard.press("Control+s");
  await expect(theirs.getByText("Your words")).toBeVisible();
  await other.close();
  await prayer.getByRole("button", { name: "Save" }).click();
  await expect(prayer.getByRole("alert")).toContainText("changed elsewhere");
  await expect(prayer.getByRole("region", { name: "Current version" }).first()).toContainText("From the other tab, ");
  await picture("reply-conflict");
  await prayer.getByRole("button", { name: "Keep mine" }).click();
  await expect(prayer.getByText("Your words")).toBeVisible();
  await expect(prayer).toContainText("In the first place, ");

  // Drafting again keeps the person's words.
  await page.getByRole("button", { name: "Update the draft" }).click();
  await expect(page.getByRole("button", { name: "Update the draft" })).toBeEnabled();
  await expect(prayer).toContainText("In the first place, ");

  // An earlier version is viewed and restored, and the restoring is undone.
  await draft.getByRole("button", { name: "Versions" }).click();
  const versions = page.getByRole("dialog", { name: "Versions" });
  await versions.getByRole("button", { name: /^Version 1 / }).click();
  await expect(versions.getByRole("region", { name: "What changed since" })).toContainText("In the first place, ");
  await picture("reply-versions");
  await versions.getByRole("button", { name: "Restore version 1" }).click();
  await expect(versions).toHaveCount(0);
  await expect(prayer).not.toContainText("In the first place, ");
  await expect.poll(() => prayer.locator(".prose").innerText()).toBe(before);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(prayer).toContainText("In the first place, ");

  await draft.getByRole("button", { name: "Export" }).click();
  const out = page.getByRole("dialog", { name: "Before you send it" });
  await expect(out).toContainText("1 paragraph of the notice is still undecided");
  await expect(out).toContainText(/The last day to reply was .* \d+ days ago\. Explain the delay in the letter/);
  await picture("reply-out");
  const download = page.waitForEvent("download");
  await out.getByRole("link", { name: "Download as Word" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.docx$/);
  await out.getByRole("button", { name: "Paragraph 2" }).click();
  await expect(row("Paragraph 2").getByRole("radio", { name: "Not decided" })).toBeFocused();

  // Draft History lists it; a deleted draft can be restored there.
  await page.goto("/app/drafts");
  await picture("drafts");
  const title = /^Reply to show cause notice/;
  await page.getByRole("button", { name: /^Delete: Reply/ }).click();
  await expect(page.getByText("No drafts yet.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("main").getByRole("link", { name: title }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("region", { name: /Prayer$/ })).toContainText("In the first place, ");
});

test("a model proposes and writes, part by part; the person stops it and goes on", async ({
  page,
  model,
  notices,
  picture,
}, info) => {
  test.skip(info.project.name !== "model", "the model's stand-in drafts here");
  const quick = await model();
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  await quick.stop();
  const slow = await model({ hold: "Brief facts" }); // the other parts are written, this one waits
  await page.getByRole("link", { name: "Reply", exact: true }).click();
  const { row, draft, drafting } = replyOf(page);
  await page.getByRole("button", { name: "Draft reply" }).click();
  await expect(drafting.getByText(/^[1-9]\d* of \d+$/)).toBeVisible();
  await drafting.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("You stopped drafting.", { exact: false })).toBeVisible();
  await slow.stop();
  await model();
  await page.getByRole("button", { name: "Update the draft" }).click();
  await expect(drafting).toHaveCount(0);
  await expect(partOf(draft, "A. Brief facts").getByText("Written by the model")).toBeVisible();
  await expect(draft).toContainText("what a stand-in for a language model writes");

  const first = row("Paragraph 1");
  await expect(first.getByText("Suggested: deny")).toBeVisible();
  await expect(first.getByRole("radio", { name: "Not decided" })).toBeChecked();
  await first.getByRole("button", { name: /accept “Deny”$/ }).click();
  await expect(first.getByRole("radio", { name: "Deny" })).toBeChecked();
  await first.getByRole("button", { name: /keep the suggested facts$/ }).click();
  await expect(first.getByText("Suggested; not part of your reply", { exact: false })).toHaveCount(0);
  await picture("reply-proposed");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, colorScheme: "dark" });

  test(
    "the reply is a tab, and nothing scrolls sideways",
    soak,
    async ({ page, notices, picture, accessible }, info) => {
      test.skip(info.project.name !== "offline", "once is enough");
      await notices.upload(fixture("drc-01.pdf"));
      await notices.answered(1);
      await page.getByRole("tab", { name: "Reply" }).tap();
      await expect(page).toHaveURL(/\/reply\?pane=reply/);
      const { region, row, draft } = replyOf(page);
      await row("Paragraph 1").getByText("Explain", { exact: true }).tap();
      await expect(row("Paragraph 1").getByText("Saved")).toBeVisible();
      await picture("reply-phone");
      await page.getByRole("button", { name: "Draft reply" }).tap();
      await expect(page.getByRole("button", { name: "Update the draft" })).toBeEnabled();
      await region.getByRole("button", { name: /^Go to the draft/ }).tap();
      await expect(draft.getByRole("button", { name: /blanks/ })).toBeInViewport();
      await accessible();
      await picture("reply-phone-draft");
      await expect(page.getByRole("tab", { name: "Reply" })).toBeInViewport();
      await expect.poll(() => wide(page)).toBe(320);
      expect(await region.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await row("Paragraph 1")
        .getByRole("link", { name: /open page/ })
        .tap();
      await expect(page.getByRole("tab", { name: "Notice" })).toHaveAttribute("aria-selected", "true");
    },
  );
});
