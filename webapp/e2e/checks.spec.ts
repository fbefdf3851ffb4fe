import { expect, fixture, test } from "./test";

const wrong = { answer: fixture("citations.md") };

test("what an answer cites is ticked or marked where it stands", async ({
  page,
  model,
  notices,
  picture,
  accessible,
}) => {
  await model(wrong);
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const answer = notices.answers().first();

  await expect(answer.getByRole("button", { name: "section 999: not verified: no such provision" })).toHaveText(
    "not verified: no such provision",
  );
  await expect(
    answer.getByRole("button", { name: /^section 16\(2\)\(aa\): not verified: not in force/ }),
  ).toBeVisible();
  await expect(answer.getByRole("button", { name: /^Suncraft Energy.*: not verified$/ })).toBeVisible();
  await expect(answer.getByRole("button", { name: /^20 January 2025: the notice says 6 January 2025/ })).toBeVisible();
  await expect(answer.getByRole("button", { name: /^₹9,86,058: the notice says ₹9,68,058/ })).toBeVisible();
  await expect(answer.getByRole("button", { name: /^section 31\(3\)\(h\): part not checked/ })).toBeVisible();

  const line = answer.getByRole("region", { name: "Checked by the program" });
  await expect(line).toContainText("6 points not verified");
  await line.getByRole("button", { name: /citations found in the index/ }).click();
  const tick = answer.getByRole("button", { name: "section 73(1): in the index" });
  await expect(tick).toBeFocused();
  await picture("checks");
  await accessible();
  await page.keyboard.press("Enter");
  const about = page.getByRole("dialog", { name: "About section 73(1)" });
  await expect(about).toContainText("Determination of tax");
  await expect(about).toContainText("for you to judge");
  await picture("checks-opened");
  await accessible();
  await page.keyboard.press("Escape");
  await expect(tick).toBeFocused();

  await line.getByRole("button", { name: "6 points not verified" }).scrollIntoViewIfNeeded();
  await picture("checks-line");
  await page.emulateMedia({ colorScheme: "dark" });
  await line.getByRole("button", { name: "section 999" }).click();
  await picture("checks-dark");
  await accessible();
  await page.setViewportSize({ width: 320, height: 720 });
  await picture("checks-phone");
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await picture("checks-print");
});
