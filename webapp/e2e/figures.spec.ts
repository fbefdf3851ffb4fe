import { readFileSync } from "node:fs";
import path from "node:path";
import type { Locator } from "@playwright/test";
import { expect, fixture, soak, test, wide } from "./test";

const names = ["gstr-3b.zip", "gstr-2b.zip", "purchases.xlsx", "credit-ledger.csv"];
const files = names.map((name) => fixture(`figures/${name}`));

/** Drags files over an area and drops them there. */
async function drop(area: Locator, paths: string[]) {
  const contents = paths.map((file) => ({ name: path.basename(file), content: readFileSync(file).toString("base64") }));
  const data = await area.page().evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, content } of given) {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    return transfer;
  }, contents);
  for (const type of ["dragenter", "dragover", "drop"]) await area.dispatchEvent(type, { dataTransfer: data });
}

test("four files are dropped on an ASMT-10, and the reply's paragraph has its table", async ({
  page,
  notices,
  picture,
  accessible,
}, info) => {
  test.skip(info.project.name !== "offline", "figures are read without a model");
  test.slow();
  await notices.upload(fixture("figures/asmt-10.pdf"));
  await notices.answered(1);
  await page.getByRole("link", { name: "Reply", exact: true }).click();
  await page.getByRole("button", { name: "Draft reply" }).click();
  await expect(page.getByRole("button", { name: "Update the draft" })).toBeEnabled();

  // Files dropped anywhere on the conversation open the view that compares them.
  await page.getByRole("link", { name: "Conversation", exact: true }).click();
  await drop(notices.log, files);
  await expect(page).toHaveURL(/\/figures$/);
  const region = page.getByRole("region", { name: "Figures", exact: true });
  await expect(region.getByRole("heading", { name: "Credit claimed in GSTR-3B against GSTR-2B" })).toBeVisible();
  const read = region.getByRole("group", { name: "4 files" });
  for (const name of names) await expect(read.getByRole("rowheader", { name })).toBeVisible();
  await expect(region.getByText("₹46,037 of ₹1.2 lakh is explained.")).toBeVisible();
  const beside = region.getByRole("group", { name: "The notice compared with the files" });
  await expect(beside.getByRole("row", { name: /^The notice's figure/ })).toContainText("₹1,19,957.25");
  await expect(beside.getByRole("row", { name: /^Difference as per the files/ })).toContainText("₹1,19,957.25");
  const due = region.getByRole("group", { name: "If the rest is admitted: DRC-03" });
  await expect(due.getByRole("row", { name: /^IGST/ })).toContainText("₹80,157.39");
  await expect(region.getByText("The last day is 9 February 2025.")).toBeVisible();
  await expect(region.getByTestId("months").locator(".recharts-bar-rectangle").first()).toBeAttached();
  await picture("figures");
  await accessible();

  // A person finds a document and gives it another class. The class stays, and more of the difference is explained.
  await region.getByLabel("Finding", { exact: true }).selectOption("only_books");
  const documents = region.getByRole("group", { name: "Documents" });
  const choice = documents.getByRole("combobox").first();
  await expect(choice).toHaveValue("only_books");
  await choice.selectOption({ label: "In another month's return" });
  await region.getByLabel("Finding", { exact: true }).selectOption("other_month");
  await expect(documents.getByText("Your choice")).toBeVisible();
  await expect(region.getByText("₹46,037 of ₹1.2 lakh is explained.")).toHaveCount(0);

  // A file that does not belong to the notice is refused, with advice.
  await page.getByTestId("figures-input").setInputFiles({
    name: "old.xls",
    mimeType: "application/vnd.ms-excel",
    buffer: Buffer.from("\xd0\xcf\x11\xe0 old", "latin1"),
  });
  await expect(region.getByText(/old\.xls is in a spreadsheet format that cannot be read here/)).toBeVisible();
  await region.getByRole("button", { name: "Remove: old.xls" }).click();
  await expect(region.getByText(/old\.xls is in a spreadsheet format/)).toHaveCount(0);
  await expect(documents.getByText("Your choice")).toBeVisible();

  const saved = page.waitForEvent("download");
  await region.getByRole("link", { name: "Download the workbook" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^annexure-of-figures.*\.xlsx$/);

  await page.getByRole("link", { name: "Reply", exact: true }).click();
  const draft = page.getByRole("region", { name: "Reply", exact: true }).getByRole("article");
  await expect(draft.getByRole("row", { name: /^As alleged in the notice/ })).toBeVisible();
  // The paragraph states the amounts of the table, and its pleas on the law have amounts and no blanks. The document
  // that the person reclassified is explained there too.
  await expect(draft.getByText(/^Explained, in another month's return: IGST ₹21,965\.76/)).toBeVisible();
  await expect(draft.getByText(/^Explained, in a return of another year: IGST/)).toBeVisible();
  await expect(draft.getByText(/^What remains so far is IGST ₹58,191\.63/)).toBeVisible();
  await expect(draft.getByText(/is one of timing alone: invoice by invoice/)).toBeVisible();
  await expect(draft.getByText(/for each invoice in dispute/)).toHaveCount(0);
  await expect(
    draft.getByRole("heading", { name: /^Annexure \d: Credit claimed in GSTR-3B against GSTR-2B/ }),
  ).toBeVisible();
});

test(
  "figures are read on a phone, in Hindi and in the dark",
  soak,
  async ({ page, notices, picture, accessible }, info) => {
    test.skip(info.project.name !== "offline", "figures are read without a model");
    test.slow();
    await notices.upload(fixture("figures/asmt-10.pdf"));
    await notices.answered(1);
    await page.getByRole("link", { name: "Figures", exact: true }).click();
    await page.getByTestId("figures-input").setInputFiles(files);
    await expect(page.getByRole("heading", { name: "Credit claimed in GSTR-3B against GSTR-2B" })).toBeVisible();
    await page.evaluate(() => {
      localStorage.setItem("munshi.language", "hi");
    });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await expect(page.getByRole("heading", { name: "GSTR-3B में लिया गया क्रेडिट, GSTR-2B के मुकाबले" })).toBeVisible();
    await expect(page.locator(".recharts-bar-rectangle").first()).toBeAttached();
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await picture("figures-hindi-phone");
    await accessible();
  },
);
