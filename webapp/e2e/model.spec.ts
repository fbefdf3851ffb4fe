import { expect, fixture, Notices, soak, test } from "./test";

test("an answer streams, is kept, and says which model wrote it", async ({
  page,
  model,
  notices,
  picture,
  accessible,
}) => {
  const writing = await model({ hold: "What is alleged" });
  await notices.upload(fixture("drc-01.pdf"));
  await expect(notices.live.getByRole("heading", { name: "What this notice is" })).toBeVisible();
  await expect(notices.send).toHaveCount(0);
  await picture("streaming");
  await accessible();
  await writing.goOn();
  await notices.answered(1);
  await expect(page.getByText("Written by stand-in", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Required Documents" }).getByRole("listitem")).toHaveCount(3);
});

test("a reload and a second tab continue the same stream", async ({ page, context, model, notices }) => {
  const writing = await model({ hold: "What is alleged" });
  await notices.upload(fixture("drc-01.pdf"));
  const begun = notices.live.getByRole("heading", { name: "What this notice is" });
  await expect(begun).toBeVisible();
  await page.reload();
  await expect(begun).toBeVisible();

  const second = await context.newPage();
  await second.goto(page.url());
  await expect(new Notices(second).live.getByRole("heading", { name: "What this notice is" })).toBeVisible();
  await writing.goOn();
  // The first tab is in the background now; when it is in front again it has the whole answer.
  await expect(second.getByRole("log").getByText("Draft reply")).toBeVisible();
  await page.bringToFront();
  await notices.answered(1);
  await expect(notices.answers()).toContainText("What this notice is");
  await expect(notices.answers()).toContainText("The Noticee prays that the proceedings be dropped.");
  await expect(page.getByRole("region", { name: "Required Documents" })).toContainText(
    "Freight ledger and lorry receipts",
  );
});

test(
  "the end stays in sight while it is written, but not for who reads above",
  soak,
  async ({ page, model, notices }) => {
    await page.setViewportSize({ width: 1000, height: 600 });
    const writing = await model({ hold: ["Draft reply", "The Noticee submits"] });
    await notices.upload(fixture("drc-01.pdf"));
    const thread = page.getByRole("region", { name: "Conversation" });
    const fromEnd = () => thread.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await expect(notices.live.getByRole("heading", { name: "What to do, and by when" })).toBeAttached();
    await expect.poll(fromEnd).toBeLessThan(60);

    await thread.evaluate((element) => {
      element.scrollTop = 0;
    });
    const latest = page.getByRole("button", { name: "Jump to latest" });
    await expect(latest).toBeVisible();
    await writing.goOn();
    await expect(notices.live.getByText("Before the Deputy Commissioner of State Tax")).toBeAttached();
    expect(await thread.evaluate((element) => element.scrollTop)).toBe(0);
    await latest.click();
    await expect.poll(fromEnd).toBeLessThan(60);
    // Someone who jumped to the end follows the answer again.
    await writing.goOn();
    await notices.answered(1);
    await expect(latest).toHaveCount(0);
    await expect.poll(fromEnd).toBeLessThan(60);
  },
);

test("Stop keeps what was written, and the next question can be asked", async ({ page, model, notices, picture }) => {
  const slow = await model({ hold: "What is alleged" });
  await notices.upload(fixture("drc-01.pdf"));
  await expect(notices.live.getByRole("heading", { name: "What this notice is" })).toBeVisible();
  await notices.stop.click();
  await expect(page.getByText("You stopped this answer here.")).toBeVisible();
  await expect(notices.answers()).toContainText("What this notice is");
  await expect(notices.answers()).not.toContainText("Draft reply");
  await picture("stopped");

  await slow.stop();
  await model();
  await notices.box.fill("And now?");
  await notices.box.press("Enter");
  await notices.answered(2);
});

test("Escape stops too", soak, async ({ page, model, notices }) => {
  await model({ hold: "What is alleged" });
  await notices.upload(fixture("drc-01.pdf"));
  await expect(notices.live.getByRole("heading", { name: "What this notice is" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("You stopped this answer here.")).toBeVisible();
});

test("a failed analysis says why, and Retry finishes it", async ({ page, model, notices, picture, accessible }) => {
  const refusing = await model({ refuses: true });
  await notices.upload(fixture("drc-01.pdf"));
  await expect(
    page.getByText("I apologize, but I encountered an error while analyzing the notice. Please try again."),
  ).toBeVisible();
  await expect(page.getByText(/Nothing that was finished is lost/)).toBeVisible();
  await picture("failed");
  await accessible();
  await refusing.stop();
  await model();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Written by stand-in", { exact: true })).toBeVisible();
  await expect(page.getByText(/I apologize/)).toHaveCount(0);
});
