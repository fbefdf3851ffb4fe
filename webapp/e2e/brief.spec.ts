import { expect, fixture, test } from "./test";

test("a scan is confirmed and corrected, what follows moves, and the list shows it", async ({
  page,
  notices,
  picture,
  accessible,
  clean,
}) => {
  clean.allow(/422/); // a date of service before the notice is refused
  await notices.upload(fixture("reg-17-scan.pdf"));
  await notices.answered(1);
  const brief = page.getByRole("complementary", { name: "What the notice says" });
  await expect(brief).toContainText("15 July 2026");
  await brief.getByRole("button", { name: "GSTIN is right" }).click();
  await expect(brief.getByRole("button", { name: "GSTIN is right" })).toHaveCount(0);
  await brief.getByRole("button", { name: /Enter the date of service/ }).click();
  const dialog = page.getByRole("dialog", { name: "Date of service" });
  await dialog.getByRole("textbox", { name: "Date of service" }).fill("2026-07-01");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("dated 6 July 2026");
  await dialog.getByRole("textbox", { name: "Date of service" }).fill("2026-07-10");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(brief).toContainText("Served on 10 July 2026");
  await expect(brief).toContainText("21 July 2026");
  await picture("brief");
  await accessible();

  await brief.getByRole("button", { name: "Add an authority" }).click();
  const adding = page.getByRole("dialog", { name: "Add an authority" });
  await adding
    .getByRole("textbox", { name: "Citation" })
    .fill("Arise India Ltd. v. Commissioner of Trade and Taxes, 2017 (10) TMI 1020");
  await adding.getByRole("textbox", { name: "Court" }).fill("Delhi High Court");
  await adding.getByLabel("PDF (optional)").setInputFiles(fixture("supporting.pdf"));
  await adding.getByRole("button", { name: "Add", exact: true }).click();
  await brief.getByRole("link", { name: /^Open the PDF: Arise/ }).click();
  await expect(page.getByText("A document other than the notice: supporting.pdf")).toBeVisible();
  await expect(
    page
      .getByRole("region", { name: /supporting.pdf/ })
      .locator("canvas")
      .first(),
  ).toBeVisible();
  await picture("authority");
  await page.getByRole("link", { name: "Back to the notice" }).click();
  await expect(page.getByText("A document other than the notice: supporting.pdf")).toHaveCount(0);

  await page.goto("/app/notices");
  const list = page.getByRole("region", { name: "Your notices" });
  await expect(list.getByRole("listitem")).toContainText("21 July 2026");
  await list.getByRole("button", { name: /^Delete/ }).click();
  await expect(list).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(list.getByRole("link")).toHaveCount(1);
});
