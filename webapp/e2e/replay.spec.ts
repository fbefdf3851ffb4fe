import type { Browser, Page } from "@playwright/test";
import { expect, fixture, test } from "./test";

const apology = "I apologize, but I encountered an error while analyzing the notice. Please try again.";

/** A page in an operator's own browser. */
async function operatorIn(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  const [name = "", value = ""] = (process.env.MUNSHI_E2E_OPERATOR ?? "").split("=");
  await context.addCookies([{ name, value, url: process.env.MUNSHI_E2E_MODEL ?? "" }]);
  return await context.newPage();
}

/**
 * An operator's whole round: the analysis fails, its cause is removed, and the analysis is repeated from the
 * Temporal Web UI.
 */
test("a failed analysis is done again from the Temporal Web UI", async ({ page, browser, model, notices, picture }) => {
  const refusing = await model({ refuses: true });
  await notices.upload(fixture("drc-01.pdf"));
  await expect(notices.log).toContainText(apology);
  await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  await picture("replay-1-apology");
  const conversation = page.url().split("/").at(-1) ?? "";
  const detail = await page.request.get(`/api/conversations/${conversation}`);
  const { turn, documents } = (await detail.json()) as { turn: { id: string }; documents: { pages_read: number }[] };
  expect(documents[0]?.pages_read).toBe(2);

  await refusing.stop();
  await model(); // the cause is removed: the provider accepts the key

  const operator = await operatorIn(browser);
  const shoot = async (name: string) => {
    if (process.env.PICTURES !== undefined)
      await operator.screenshot({ path: `screenshots/model-replay-${name}.png`, animations: "disabled" });
  };
  const workflow = `${process.env.MUNSHI_E2E_TEMPORAL ?? ""}/namespaces/default/workflows/turn-${turn.id}`;
  // Anyone who is not an operator sees nothing of it.
  const stranger = await (await browser.newContext()).newPage();
  expect((await stranger.goto(workflow))?.status()).toBe(403);
  await expect(stranger.getByText("for operators")).toBeVisible();
  await expect(stranger.getByText("The model provider refused the key")).toHaveCount(0);
  await stranger.context().close();
  await operator.goto(workflow);
  await expect(operator.getByText("The model provider refused the key. Check model.key.").first()).toBeVisible();
  await shoot("2-failed-with-its-reason");
  await operator.getByRole("button", { name: "Reset", exact: true }).click();
  const dialog = operator.getByRole("dialog", { name: "Reset Workflow" });
  await dialog.getByTestId("workflow-reset-event-id-select-button").click();
  // The last task ended the turn; the one before it asked the model.
  const tasks = dialog.locator("li", { hasText: "WorkflowTaskCompleted" });
  await expect(tasks).toHaveCount(3);
  await shoot("3-reset-to-the-last-but-one-task");
  await tasks.nth(1).click();
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog).toBeHidden();

  await page.bringToFront();
  await notices.answered(1);
  await expect(notices.answers()).toContainText("Draft reply");
  await expect(notices.log).not.toContainText(apology);
  await picture("replay-5-answered");
  await operator.bringToFront();
  await operator.goto(workflow);
  await expect(operator.getByText("Completed").first()).toBeVisible();
  await shoot("4-completed-under-the-same-id");
  await operator.context().close();
});

/** The workflow that waits for the documents is visible. */
test("the wait for required documents is a workflow that an operator sees", async ({
  page,
  browser,
  model,
  notices,
  picture,
}) => {
  await model();
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const block = page.getByRole("region", { name: "Required Documents" });
  await expect(block).toContainText("Waiting for these documents");
  const operator = await operatorIn(browser);
  await operator.goto(
    `${process.env.MUNSHI_E2E_TEMPORAL ?? ""}/namespaces/default/workflows/followup-${page.url().split("/").at(-1) ?? ""}`,
  );
  await expect(operator.getByText("Running").first()).toBeVisible();
  await operator.getByText("User Metadata").click();
  const details = operator.locator("iframe").nth(2).contentFrame(); // the Web UI shows each text in a separate frame
  await expect(details.getByText(/0 of 3 documents reviewed, 0 in review, 3 awaited; waits until/)).toBeVisible();
  await operator.screenshot({ path: "screenshots/model-followup-waiting.png", animations: "disabled" });
  await operator.context().close();

  await block.getByRole("button", { name: "Stop waiting for documents" }).click();
  await expect(block).toContainText("You closed this request");
  await picture("followup-closed");
});
