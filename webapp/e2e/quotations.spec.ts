import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { importLaw, invented, lawOf } from "./library";
import { expect, fixture, test } from "./test";

const library = () => lawOf(process.env.MUNSHI_E2E_STATE);

test.afterAll(() => {
  rmSync(library(), { recursive: true, force: true });
});

test("invented quotations of the law and of a judgment are marked on screen, in copies and in Word; true ones are ticked", async ({
  page,
  context,
  model,
  notices,
  picture,
}, info) => {
  importLaw(library(), invented(info.outputPath()));
  await model({ answer: fixture("quotations.md") });
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const first = notices.answers().first();
  await expect(first.getByRole("button", { name: /the first of May\.": matches the law$/ })).toBeVisible();
  await expect(first.getByRole("button", { name: /the river is calm\.": not in the text of the law$/ })).toBeVisible();
  await expect(first.getByRole("button", { name: /the buyer keeps his credit.*text not available/ })).toBeVisible();
  await picture("quotations");

  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await first.getByRole("button", { name: "Copy" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/the river is calm\."\[1\]/);
  expect(await copied()).toMatch(/\[1\] .*not/);

  const [word] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export to Word" }).click(),
  ]);
  const text = execFileSync("unzip", ["-p", await word.path(), "word/document.xml"], { encoding: "utf8" }).replace(
    /<[^>]*>/g,
    "",
  );
  expect(text).toContain('the river is calm." [not in the text of the law]');
  expect(text).toContain('before the first of May."Section');

  const brief = page.getByRole("complementary", { name: "What the notice says" });
  await brief.getByRole("button", { name: "Add an authority" }).click();
  const adding = page.getByRole("dialog", { name: "Add an authority" });
  await adding.getByRole("textbox", { name: "Citation" }).fill("Tapi Polyweave v. State of Gujarat, 2026 (2) TMI 9");
  await adding.getByLabel("PDF (optional)").setInputFiles(fixture("supporting.pdf"));
  await adding.getByRole("button", { name: "Add", exact: true }).click();
  await expect(brief.getByRole("link", { name: /^Open the PDF: Tapi/ })).toBeVisible();
  await expect(brief.getByText("Reading…")).toHaveCount(0);
  await notices.box.fill("When is a refund application liable to be rejected?");
  await notices.send.click();
  await notices.answered(2);
  const second = notices.answers().nth(1);
  await expect(
    second.getByRole("button", { name: /to be rejected": on page 1 of the authority you supplied$/ }),
  ).toBeVisible();
  await expect(
    second.getByRole("button", { name: /the supplier does": not in the authority you supplied$/ }),
  ).toBeVisible();
  await expect(second.getByRole("region", { name: "Checked by the program" })).toContainText("1 quotation found");
  await picture("quotations-authority");
});
