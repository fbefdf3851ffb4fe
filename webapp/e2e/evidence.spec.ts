import type { Locator, Page } from "@playwright/test";
import type { FoundQuote, PageList } from "../src/lib/api/generated";
import { expect, fixture, soak, test, wide } from "./test";

const pane = (page: Page) => page.getByRole("region", { name: /^The document / });
const brief = (page: Page) => page.getByRole("complementary", { name: "What the notice says" });

/** Compares the marks on the screen with the positions that the server gives for the words in the address. */
async function marksAreRight(page: Page, document: string): Promise<void> {
  const url = new URL(page.url());
  const quote = decodeURIComponent(url.hash.replace(/^#(mark|near)=/, ""));
  const number = Number(url.searchParams.get("page"));
  const found = (await (
    await page.request.post(`/api/documents/${document}/find`, { data: { quote, page: number } })
  ).json()) as FoundQuote;
  const sizes = (await (await page.request.get(`/api/documents/${document}/pages`)).json()) as PageList;
  const size = sizes.pages?.find((one) => one.number === number);
  const boxes = found.boxes ?? [];
  expect(boxes.length).toBeGreaterThan(0);
  const sheet = pane(page).locator(`[data-page="${String(number)}"]`);
  await expect(sheet.locator("canvas")).toBeVisible();
  const marks = sheet.locator("mark");
  await expect(marks).toHaveCount(boxes.length);
  await expect(marks.first()).toBeInViewport();
  // The earlier words may still be marked, and the page may still move.
  await expect(async () => {
    const frame = await sheet.boundingBox();
    if (frame === null || size === undefined) throw new Error("the page is not shown");
    const scale = frame.width / size.width;
    for (const [index, box] of boxes.entries()) {
      const mark = await marks.nth(index).boundingBox();
      expect(Math.abs((mark?.x ?? 0) - frame.x - box.x0 * scale)).toBeLessThan(4);
      expect(Math.abs((mark?.y ?? 0) - frame.y - box.y0 * scale)).toBeLessThan(4);
      expect(Math.abs((mark?.width ?? 0) - (box.x1 - box.x0) * scale)).toBeLessThan(8);
    }
  }).toPass({ timeout: 60_000 });
}

const documentOf = async (pages: Locator) =>
  ((await pages.getByRole("link", { name: "Download the PDF" }).getAttribute("href")) ?? "").replace(
    "/api/documents/",
    "",
  );

test("a fact opens its place in the notice, and the way back is kept", async ({
  page,
  notices,
  picture,
  accessible,
}) => {
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const address = page.url();
  const document = await documentOf(pane(page));
  await expect(pane(page).locator("canvas").first()).toBeVisible();

  await brief(page).getByRole("link", { name: "page 1: Reply date" }).click();
  await expect(page).toHaveURL(/\?page=1#mark=/);
  await marksAreRight(page, document);
  // pdf.js, which does not know our positions, has the date's text at the mark.
  const mark = await pane(page).locator("mark").first().boundingBox();
  const word = await pane(page).locator('[data-page="1"] .textLayer').getByText("06/01/2025").first().boundingBox();
  if (mark === null || word === null) throw new Error("there is no mark, or no text");
  expect(word.y + word.height / 2).toBeGreaterThan(mark.y);
  expect(word.y + word.height / 2).toBeLessThan(mark.y + mark.height);
  await picture("evidence");
  await accessible();

  await page.reload();
  await marksAreRight(page, document);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(pane(page).locator("mark")).toHaveCount(0);
});

test(
  "the notice is turned over, enlarged and folded away with the keyboard",
  soak,
  async ({ page, notices, picture, accessible }) => {
    await notices.upload(fixture("drc-01.pdf"));
    await notices.answered(1);
    await expect(pane(page).locator("canvas").first()).toBeVisible();
    const pages = pane(page).getByRole("region", { name: "Pages" });
    await pages.focus();
    await page.keyboard.press("ArrowRight");
    await expect(pane(page).getByRole("textbox", { name: "Page" })).toHaveValue("2");
    await page.keyboard.press("+");
    await expect(pane(page).getByRole("textbox", { name: "Page" })).toHaveValue("2");
    await picture("evidence-larger");
    await page.getByRole("button", { name: "Hide: Notice" }).press("Enter");
    await expect(page.getByRole("button", { name: "Show: Notice" })).toBeFocused();
    await picture("notice-folded");
    await accessible();
    await page.reload();
    await expect(page.getByRole("button", { name: "Show: Notice" })).toBeVisible(); // remembered
    await brief(page).getByRole("link", { name: "page 1: Reply date" }).press("Enter"); // unfolds it
    await expect(pane(page).locator("mark").first()).toBeInViewport();
  },
);

test("a fact of a scan opens its place too", async ({ page, notices, picture, accessible }) => {
  await notices.upload(fixture("reg-17-scan.pdf"));
  await expect(notices.live).toContainText(/Reading/);
  await picture("reading-a-scan");
  await notices.answered(1);
  await expect(brief(page)).toContainText("REG-17");
  await picture("scan-answered");
  await brief(page).getByRole("link", { name: "page 1: Reply date" }).click();
  await marksAreRight(page, await documentOf(pane(page)));
  await expect(pane(page).locator(".recognised-text")).toContainText("KAVITA RANI ARORA");
  // A page number in the answer links to the words before it.
  const row = notices.log.getByRole("row", { name: /SHREE BALAJI ENTERPRISES/ });
  await row.getByRole("link", { name: "page 1" }).click();
  await expect(page).toHaveURL(/#near=KAVITA/);
  await marksAreRight(page, await documentOf(pane(page)));
  await picture("scan-evidence");
  await accessible();
});

test("where the file cannot be had, its text is shown", soak, async ({ page, notices, picture, accessible, clean }) => {
  clean.allow(/404/);
  await page.route(/\/api\/documents\/[0-9a-f-]{36}$/, (route) => route.fulfill({ status: 404, body: "" }));
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  await expect(pane(page)).toContainText("This PDF cannot be shown here. The file could not be loaded.");
  await expect(pane(page).getByRole("region", { name: "Text of page 1" })).toContainText("ZD271224038216Q");
  await picture("notice-as-text");
  await accessible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

  test("the panes are tabs, and a fact opens the notice", soak, async ({ page, notices, picture, accessible }) => {
    await notices.upload(fixture("drc-01.pdf"));
    await notices.answered(1);
    await expect(page.getByText("By 6 January 2025").first()).toBeInViewport();
    await page.getByRole("tab", { name: "Brief" }).tap();
    await picture("phone-brief");
    await accessible();
    const link = brief(page).getByRole("link", { name: "page 1: Reply date" });
    await link.scrollIntoViewIfNeeded();
    const before = await link.boundingBox();
    await link.tap();
    await expect(page.getByRole("tab", { name: "Notice" })).toHaveAttribute("aria-selected", "true");
    await marksAreRight(page, await documentOf(pane(page)));
    await expect(page.getByText("By 6 January 2025").first()).toBeInViewport(); // whichever tab is open
    await picture("phone-evidence");
    await accessible();
    await expect.poll(() => wide(page)).toBe(320);
    await page.goBack();
    await expect(page.getByRole("tab", { name: "Brief" })).toHaveAttribute("aria-selected", "true");
    await expect.poll(() => link.boundingBox()).toEqual(before);
  });
});
