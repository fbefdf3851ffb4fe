import type { Page } from "@playwright/test";
import { expect, Notices, test, wide } from "./test";

const areas = [
  ["Corporate Law", "corporate", "Can a director be removed before the end of the term?"],
  ["Property Law", "property", "Must a lease of eleven months be registered?"],
  ["Tax Law", "tax", "Is GST due on a director's salary?"],
  ["Employment Law", "employment", "How long is the notice period of a driver?"],
] as const;

/** The AI Lawyer tab, whose conversations work like those of Notice Analysis. */
async function open(page: Page) {
  await page.goto("/app");
  await expect(page.getByRole("heading", { name: "AI Lawyer" })).toBeVisible();
  const box = page.getByRole("textbox", { name: /^Ask (your legal question|about)/ });
  const area = (name: string) => page.getByRole("group", { name: "Practice area" }).getByRole("button", { name });
  return { talk: new Notices(page), box, area };
}

test("without a model, questions of GST are answered from the law, others are said to lie outside; conversations are found, renamed, deleted and brought back", async ({
  page,
  picture,
}, info) => {
  test.skip(info.project.name === "model", "the offline engine answers here");
  const { talk, box, area } = await open(page);
  await expect(page.getByPlaceholder("Ask your legal question...")).toBeVisible();
  await expect(talk.send).toBeDisabled();
  await picture("lawyer");
  let answers = 0;
  for (const [name, id, question] of areas) {
    await area(name).click();
    await expect(page.getByPlaceholder(`Ask about ${id} law...`)).toBeVisible();
    await box.fill(question);
    await box.press("Enter");
    await talk.answered(++answers);
  }
  await expect(page.getByRole("heading", { level: 1, name: areas[0][2] })).toBeVisible(); // the title
  await expect(talk.answers().last()).toContainText(
    "This is not covered by the law that Munshi has, so it cannot be answered.",
  );
  await expect(talk.answers().nth(2)).toContainText("What the law says");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await talk.answers().last().getByRole("button", { name: "Copy" }).click();
  const copied = (type: string) =>
    page.evaluate(async (type) => {
      const [item] = await navigator.clipboard.read();
      return item?.types.includes(type) === true ? (await item.getType(type)).text() : "";
    }, type);
  await expect.poll(() => copied("text/plain")).toContain("No language model wrote this");
  expect(await copied("text/html")).toMatch(/<p>[^]*No language model wrote this/);
  await page.reload();
  await expect(area("Employment Law")).toHaveAttribute("aria-pressed", "true"); // kept with the conversation
  await area("Employment Law").click();
  await expect(page.getByPlaceholder("Ask your legal question...")).toBeVisible();

  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Asha Traders: the board");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Asha Traders: the board" })).toBeVisible();
  await page.getByRole("link", { name: "Start again" }).click();
  await expect(page.getByRole("heading", { name: "AI Lawyer" })).toBeVisible();
  await box.fill("May I build a wall?");
  await box.press("Enter");
  await talk.answered(1);
  await page.getByRole("link", { name: "Start again" }).click();

  const list = page.getByRole("region", { name: "Earlier" });
  await expect(list.getByRole("link")).toHaveCount(2);
  await page.getByRole("searchbox").fill("eleven months"); // words of a question, not of the title
  await expect(list.getByRole("link")).toHaveText([/Asha Traders: the board/]);
  await page.getByRole("searchbox").fill("no such thing");
  await expect(list.getByText("No matching conversations.")).toBeVisible();
  await page.getByRole("searchbox").fill("");
  await list.getByRole("button", { name: "Rename: May I build a wall?" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("The wall");
  await page.keyboard.press("Enter");
  await list.getByRole("button", { name: "Delete: The wall" }).click();
  await expect(list.getByRole("link")).toHaveCount(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(list.getByRole("link", { name: /The wall/ })).toBeVisible();
  await picture("lawyer-list");
  await page.setViewportSize({ width: 390, height: 844 });
  await picture("lawyer-list-phone");
});

test("with a model, an answer streams after “Thinking...”, is asked anew and edited, and stops", async ({
  page,
  model,
  picture,
  accessible,
}, info) => {
  test.skip(info.project.name !== "model", "the model's stand-in answers here");
  const slow = await model({ latency: "800ms", hold: "This is a stand-in" });
  const { talk, box, area } = await open(page);
  await area("Tax Law").click();
  await box.fill("Is GST due on a director's salary?");
  await box.press("Enter");
  await expect(page.getByText("Thinking...", { exact: true }).first()).toBeVisible();
  await expect(talk.live.getByText("This is a stand-in")).toBeVisible();
  await expect(talk.send).toHaveCount(0);
  await talk.stop.click();
  await expect(page.getByText("You stopped this answer here.")).toBeVisible();
  await slow.stop();

  await model();
  await page.getByRole("button", { name: "Regenerate" }).click();
  await expect(talk.answers()).toContainText("A real model would answer it here");
  await expect(page.getByText("2 of 2")).toBeVisible();
  await page.getByRole("button", { name: "Earlier answer" }).click();
  await expect(page.getByText("You stopped this answer here.")).toBeVisible();
  await expect(page.getByText("This is an earlier answer.")).toBeVisible();

  await page.getByRole("button", { name: "Edit" }).click();
  const question = page.getByRole("textbox", { name: "Edit your question" });
  await question.fill("Is GST due on what a director is paid?");
  await question.press("Enter");
  await expect(page.getByText("3 of 3")).toBeVisible();
  await talk.answered(1);
  await expect(talk.log.getByText("Is GST due on what a director is paid?")).toBeVisible();
  await expect(talk.log.getByText("Is GST due on a director's salary?")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "Is GST due on what a director is paid?" })).toBeVisible();

  for (const [name, id, asked] of areas) {
    if (id === "tax") continue;
    await area(name).click();
    await box.fill(asked);
    await box.press("Enter");
    await expect(talk.log.getByText(asked)).toBeVisible();
    await expect(talk.live).toHaveCount(0);
  }
  await talk.answered(4);
  await expect(page.getByRole("button", { name: "Regenerate" })).toHaveCount(1); // only for the last question
  await accessible();
  await picture("lawyer-conversation");
  await page.getByRole("radio", { name: "Dark" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await picture("lawyer-dark");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => wide(page)).toBe(390);
  await picture("lawyer-phone-dark");
});
