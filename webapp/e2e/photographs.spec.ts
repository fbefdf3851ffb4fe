import { readFileSync } from "node:fs";
import { expect, fixture, soak, test } from "./test";

// A photograph of the page of reg-17-scan.pdf, seen from one side, with a shadow on it.
const page = (name: string) => ({
  name,
  mimeType: "image/webp",
  buffer: readFileSync(fixture("reg-17-photograph.webp")),
});
// One white pixel, which is not a page: it is removed again.
const blank = {
  name: "blank.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEANl9ngAAAAABJRU5ErkJggg==",
    "base64",
  ),
};

test.describe("with a camera", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("photographs are put in order and read as one notice, whose facts open their words", async ({
    page: screen,
    notices,
    picture,
    accessible,
  }) => {
    await notices.open();
    await screen.getByRole("button", { name: "Upload Notice" }).click();
    const dialog = screen.getByRole("dialog", { name: "Upload Notice" });
    await expect(dialog.getByRole("button", { name: "Take a photograph" })).toBeVisible();
    await picture("photographs-none");
    await dialog.getByTestId("camera-input").setInputFiles(blank);
    await expect(dialog.getByRole("listitem")).toHaveCount(1);
    await dialog.getByTestId("pages-input").setInputFiles([page("IMG_1.webp"), page("IMG_2.webp")]);
    await expect(dialog.getByRole("listitem")).toHaveCount(3);
    await dialog.getByRole("button", { name: "Move page 2 up" }).click();
    await expect(dialog.getByRole("listitem").first()).toContainText("IMG_1.webp");
    await dialog.getByRole("button", { name: "Remove page 2" }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(2);
    await picture("photographs");
    await accessible();
    await dialog.getByRole("button", { name: "Upload 2 pages" }).click();
    await screen.waitForURL(/\/app\/notices\/[0-9a-f-]{36}$/);
    await notices.answered(1);
    await expect(notices.log.getByRole("link", { name: /IMG_1\.pdf/ })).toBeVisible();
    await picture("photographs-answered");
  });
});

// Works as for a fact of a scan: a photograph becomes a scan.
test("a fact opens its words on a photograph", soak, async ({ page: screen, notices, picture }) => {
  await notices.open();
  await screen.getByRole("button", { name: "Upload Notice" }).click();
  await notices.choose(page("IMG_1.webp"));
  const dialog = screen.getByRole("dialog", { name: "Upload Notice" });
  await picture("photograph-chosen");
  await dialog.getByRole("button", { name: "Upload 1 page" }).click();
  await screen.waitForURL(/\/app\/notices\/[0-9a-f-]{36}$/);
  await notices.answered(1);
  const brief = screen.getByRole("complementary", { name: "What the notice says" });
  await expect(brief).toContainText("REG-17");
  await brief
    .getByRole("link", { name: /^page 1/ })
    .first()
    .click();
  await expect(screen.locator("mark").first()).toBeInViewport();
  await picture("photograph-evidence");
});
