import { lost } from "./axe";
import { expect, fixture, soak, test, wide } from "./test";

test("a text notice is read, its facts are shown, and it is analysed", async ({
  page,
  notices,
  picture,
  accessible,
}) => {
  await notices.open();
  await picture("empty");
  await accessible();
  await page.getByRole("button", { name: "Upload Notice" }).click();
  await expect(page.getByRole("dialog", { name: "Upload Notice" })).toContainText(
    "Supported formats: PDF, JPEG, PNG, WebP, HEIC",
  );
  await picture("upload");
  await accessible();
  await notices.choose(fixture("drc-01.pdf"));
  await page.waitForURL(/\/app\/notices\/[0-9a-f-]{36}$/);
  await expect(notices.log.getByText("I have uploaded a GST Show Cause Notice for analysis...")).toBeVisible();
  await notices.answered(1);
  // The answer came at once, so it is shown from its beginning.
  await expect(notices.log.getByText("I have uploaded a GST Show Cause Notice for analysis...")).toBeInViewport();
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();

  await expect(notices.answers().first()).toContainText("DRC-01");
  await expect(page.getByText("Written by the offline engine, no language model")).toBeVisible();
  const facts = page.getByRole("complementary", { name: "What the notice says" });
  await expect(facts).toContainText("Form DRC-01");
  await expect(facts).toContainText("ZD271224038216Q");
  await expect(facts).toContainText("6 January 2025");
  await expect(facts).toContainText("Printed in the notice");
  await expect(facts).toContainText("₹9,68,058");
  await picture("answered");
  await accessible();

  // The printout has the whole conversation and the brief, over several sheets, and no buttons.
  await page.emulateMedia({ media: "print" });
  await expect(notices.box).toBeHidden();
  await expect(page.getByRole("button", { name: /^(Copy|Print|Jump to latest)$/ })).toHaveCount(0);
  await expect(notices.answers().first()).toBeVisible();
  await expect(facts).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.document.documentElement.scrollHeight)).toBeGreaterThan(2000);
  await page.emulateMedia({ media: null });

  // The notice itself can be opened by its owner.
  const address = await notices.log.getByRole("link", { name: /drc-01\.pdf/ }).getAttribute("href");
  const document = await page.request.get(address ?? "");
  expect(document.headers()["content-type"]).toBe("application/pdf");

  await page.goto("/app/notices");
  const list = page.getByRole("region", { name: "Your notices" });
  await expect(list.getByRole("link")).toHaveCount(1);
  await picture("list");
  await list.getByRole("link").click();
  await notices.answered(1);
});

test("a required document is picked, uploaded and reviewed, then a question is asked", async ({
  page,
  notices,
  picture,
  accessible,
}) => {
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const block = page.getByRole("region", { name: "Required Documents" });
  const entry = block.getByRole("listitem").first();
  const type = (await entry.getByRole("button").textContent()) ?? "";
  await entry.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: "Upload document" });
  await expect(dialog.getByRole("combobox")).toHaveValue(type);
  await picture("required-document");
  await accessible();
  await notices.choose(fixture("supporting.pdf"));
  await expect(dialog).toHaveCount(0);
  await expect(notices.log.getByText(`I have uploaded ${type} for analysis...`)).toBeVisible();
  await notices.answered(2);
  await expect(block.getByText("Reviewed", { exact: true })).toBeVisible();

  await notices.box.fill("By when must I reply?");
  await notices.box.press("Enter");
  await expect(notices.log.getByText("By when must I reply?")).toBeVisible();
  await notices.answered(3);
  await expect(notices.box).toHaveValue("");
  await picture("asked");
  await accessible();
});

test("a notice is analysed with the keyboard alone", soak, async ({ page, notices, picture }) => {
  await notices.open();
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent.trim(),
    );
  const tabTo = async (name: string, key = "Tab") => {
    for (let presses = 0; presses < 90; presses++) {
      await page.keyboard.press(key);
      if ((await focused()) === name) return;
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  // Before any key is pressed, which may come sooner.
  page.on("filechooser", (chooser) => void chooser.setFiles(fixture("drc-01.pdf")));
  await tabTo("Upload Notice");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Upload Notice" })).toBeVisible();
  await tabTo("Click to upload or drag and drop");
  await picture("keyboard-focus");
  await page.keyboard.press("Enter");
  await notices.answered(1);
  await tabTo("Skip to the question box"); // skips the provisions and the marks of the answer
  await page.keyboard.press("Enter");
  await expect(notices.box).toBeFocused();
  await page.keyboard.type("What is the penalty?");
  await page.keyboard.press("Enter");
  await notices.answered(2);
  const first = page.getByRole("region", { name: "Required Documents" }).getByRole("button").first();
  await tabTo((await first.textContent()) ?? "", "Shift+Tab"); // it comes before the box
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Upload document" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(first).toBeFocused();
});

test("typed text survives a reload", async ({ page, notices }) => {
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  await notices.box.fill("half a ques");
  await page.reload();
  await expect(notices.box).toHaveValue("half a ques");
});

test("another visitor does not see the notice", async ({ page, browser, notices, baseURL }) => {
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const stranger = await browser.newContext({ baseURL });
  const other = await stranger.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("heading", { name: "This notice could not be found" })).toBeVisible();
  await stranger.close();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

  test("a notice is analysed and its facts are a tab", async ({ page, notices, picture, accessible }) => {
    await notices.upload(fixture("drc-01.pdf"));
    await notices.answered(1);
    await picture("phone-answered");
    await accessible();
    await expect(page.getByText("By 6 January 2025").first()).toBeVisible();
    await page.getByRole("tab", { name: "Brief" }).tap();
    await expect(
      page.getByRole("complementary", { name: "What the notice says" }).getByText("Form DRC-01").first(),
    ).toBeVisible();
    await picture("phone-facts");
    await accessible();
    await expect.poll(() => wide(page)).toBe(390);
  });
});

test.describe("at 200 % zoom", () => {
  test.use({ viewport: { width: 640, height: 360 } });

  test("nothing is lost", soak, async ({ page, notices, picture }) => {
    await notices.upload(fixture("drc-01.pdf"));
    await notices.answered(1);
    await expect.poll(() => wide(page)).toBe(640);
    await expect(notices.box).toBeInViewport();
    expect(await lost(page)).toEqual([]);
    await picture("zoomed");
  });
});

test.describe("in the dark", () => {
  test.use({ colorScheme: "dark" });

  test("every screen keeps its contrast", soak, async ({ page, notices, picture, accessible }) => {
    await notices.open();
    await picture("dark-empty");
    await accessible();
    await page.getByRole("button", { name: "Upload Notice" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await picture("dark-upload");
    await accessible();
    await notices.choose(fixture("drc-01.pdf"));
    await notices.answered(1);
    await picture("dark-answered");
    await accessible();
  });
});
