import { rmSync } from "node:fs";
import { importLaw, invented, lawOf, malgudi } from "./library";
import { expect, fixture, test, wide } from "./test";

/** The folder for the imported text of the law, of the product that these tests use. */
const library = () => lawOf(process.env.MUNSHI_E2E_OFFLINE_STATE);

// The later tests find the text imported, the first ones do not.
test.describe.configure({ mode: "serial" });

test("without the official text the law is read in our words, searched and cited as it stood", async ({
  page,
  notices,
  accessible,
  picture,
}) => {
  test.slow(); // axe checks four screens
  rmSync(library(), { recursive: true, force: true });
  await page.goto("/app/lawyer");
  await page.getByRole("link", { name: "Law", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Law", exact: true })).toBeVisible();
  await expect(page.getByText("The official text has not been imported on this server.")).toBeVisible();
  await expect(page.getByText("munshi law import FILE")).toBeVisible();
  await page.getByText("Input tax credit").first().click();
  await expect(page.getByRole("link", { name: /^16 / }).first()).toBeVisible();
  await picture("law");
  await accessible();

  const search = page.getByRole("main").getByRole("searchbox");
  await search.fill("supplier ne tax nahi bhara");
  await expect(
    page
      .getByRole("list", { name: "Provisions found" })
      .getByText(/Section 16\(2\)/)
      .first(),
  ).toBeVisible();
  await expect(page).toHaveURL(/q=supplier/);
  await picture("law-search");
  await page.reload();
  await expect(search).toHaveValue("supplier ne tax nahi bhara");
  await search.fill("16(4)");
  await page
    .getByRole("link", { name: /^Section 16\(4\)/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Section 16(4), CGST Act" })).toBeVisible();
  await expect(page.getByText("cannot be taken later than 30 November").first()).toBeVisible();

  await page.getByLabel("As on", { exact: true }).fill("2020-03-31");
  await expect(page).toHaveURL(/on=2020-03-31/);
  await expect(page.getByText("It has changed 2 times since then, last on 1 October 2022.")).toBeVisible();
  await expect(page.getByText("The official text has not been imported on this server.")).toBeVisible();
  await picture("law-provision");
  await accessible();
  await page.goto("/app/law/cgst/16(4)?on=2017-01-01");
  await expect(page.getByText("We have no summary for that day. Ours begins on 1 July 2017.")).toBeVisible();
  await page.getByRole("button", { name: "Show it as on 1 July 2017" }).first().click();
  await expect(page).toHaveURL(/on=2017-07-01/);
  await page.goto("/app/law/cgst/15(Expl)");
  await expect(page.getByRole("heading", { name: "Section 15, Explanation, CGST Act" })).toBeVisible();

  // A provision that a notice or its answer cites opens beside it, in the version of the notice's year.
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const cited = page.getByRole("complementary", { name: "What the notice says" }).getByRole("link", {
    name: "section 16(2)(c)",
    exact: true,
  });
  await cited.click();
  const panel = page.getByRole("dialog", { name: "Section 16(2)(c), CGST Act" });
  await expect(panel.getByText("As it stood on 31 March 2021, the last day of the period of the notice")).toBeVisible();
  await expect(panel.getByRole("heading", { name: "In our words" })).toBeVisible();
  await picture("law-beside");
  await accessible();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(cited).toBeFocused();
  const inAnswer = notices.answers().first().locator("a.provision-link").first();
  await inAnswer.click();
  await expect(page.getByRole("dialog").getByText("As it stood on 31 March 2021")).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => wide(page)).toBeLessThanOrEqual(320);
  await picture("law-beside-phone");
});

test("with a text imported its words stand as on the day, amendments are marked, and gaps are said", async ({
  page,
  context,
  accessible,
  picture,
}) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  importLaw(library(), malgudi, invented(test.info().outputPath()));

  await page.goto("/app/law");
  await expect(page.getByRole("heading", { name: "Malgudi GST Act" })).toBeVisible();
  await expect(page.getByText("Official text of 6 provisions, amended up to 31 March 2030")).toBeVisible();
  await page.goto("/app/law/malgudi_gst/3?on=2030-02-01");
  await expect(page.getByText("(aa) a lamp on a boat, while it is on the river; and")).toBeVisible();
  const amendments = page.getByRole("list", { name: "Amendments in this text" });
  await expect(amendments).toContainText("Inserted from 1 June 2028");
  await expect(amendments).toContainText("Omitted from 1 January 2030");
  await picture("law-text");
  await accessible();
  await page.getByLabel("As on", { exact: true }).fill("2028-01-31");
  await expect(page.getByText("a lamp on a boat")).toHaveCount(0);
  await expect(page.getByText("It has changed 3 times since then, last on 1 January 2030.")).toBeVisible();
  await page.goto("/app/law/malgudi_gst/3A?on=2029-03-31");
  await expect(page.getByText("It was not in force on that date; it applies from 1 April 2029.")).toBeVisible();

  await page.goto("/app/law/cgst/16(4)?on=2020-03-31");
  await expect(
    page.getByText("This part changed on 1 January 2021, and we have only the wording since then"),
  ).toBeVisible();
  await expect(page.getByText("A lamplighter shall ask")).toHaveCount(0);

  await page.goto("/app/law/cgst/16(4)?on=2022-01-31");
  await expect(page.getByText("(4) A lamplighter shall ask before the first of May.")).toBeVisible();
  await page.getByRole("button", { name: "Copy with citation" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(
      "“(4) A lamplighter shall ask before the first of May.”\n\n" +
        "Section 16(4), CGST Act, as on 31 January 2022. Town of Malgudi, amended up to 1 April 2025.",
    );
  rmSync(library(), { recursive: true, force: true });
});

test.describe("in Hindi", () => {
  test.use({ locale: "hi-IN", colorScheme: "dark" });

  test("the law is read in Hindi", async ({ page, accessible, picture }) => {
    await page.goto("/app/law?q=ब्लॉक्ड क्रेडिट");
    await page
      .getByRole("link", { name: /^धारा 17\(5\)/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { name: "धारा 17(5), CGST अधिनियम" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "हमारे शब्दों में" })).toBeVisible();
    await expect(page.getByText("इस सर्वर पर आधिकारिक पाठ नहीं डाला गया है।")).toBeVisible();
    await accessible();
    await picture("law-hindi");
  });
});
