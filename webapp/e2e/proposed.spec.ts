import { expect, fixture, test } from "./test";

test("what a model proposes is found on its page, and counts once a person has taken it", async ({
  page,
  model,
  notices,
  picture,
  accessible,
}) => {
  await model();
  await notices.upload(fixture("open-date.pdf"));
  await notices.answered(1);
  const ask = page.getByRole("group", { name: "Needs your attention" });
  // Of the two quotations that the stand-in proposes, one is nowhere in the notice.
  await expect(ask.getByText("Suggested by the model, found on")).toHaveCount(1);
  const take = ask.getByRole("button", { name: "Reply date: 12 March 2027" });
  await expect(take).toBeVisible();
  await picture("proposed");
  await accessible();

  await ask.getByRole("link", { name: "page 2: 12 March 2027" }).click();
  await expect(page.locator('[data-page="2"] mark').first()).toBeVisible();
  await picture("proposed-marked");

  await take.click();
  await expect(take).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Undo: Reply date" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Undo: Reply date" })).toBeVisible();
  await expect(ask.getByRole("button", { name: /^Reply date/ })).toHaveCount(0);
  await picture("proposed-taken");

  await page.getByRole("button", { name: "Undo: Reply date" }).click();
  await expect(take).toBeVisible(); // and it is proposed again
});
