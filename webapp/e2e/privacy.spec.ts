import { readFileSync } from "node:fs";
import { keeping } from "./gallery";
import { expect, fixture, soak, test, wide } from "./test";

const password = "correct horse battery";

test.setTimeout(keeping ? 600_000 : 240_000); // Temporal takes some time to delete

test("a person sees where their text goes, takes everything with them, and has it erased", async ({
  page,
  notices,
  picture,
  accessible,
  clean,
}) => {
  clean.allow(/401|404/); // a wrong password, and requests for things that no longer exist
  await notices.open();
  // Shown once: in the sidebar, and in the page if the sidebar is folded away.
  const size = page.viewportSize();
  const here = page.getByText("Nothing leaves this server.").filter({ visible: true });
  await expect(here).toHaveCount(1);
  await page.setViewportSize({ width: 800, height: 900 });
  await expect(page.getByRole("main").getByText("Nothing leaves this server.")).toBeVisible();
  await expect(here).toHaveCount(1);
  if (size !== null) await page.setViewportSize(size);
  await notices.upload(fixture("drc-01.pdf"));
  await notices.answered(1);
  const conversation = page.url();

  await page.getByRole("navigation", { name: "Menu" }).getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "No account yet? Sign up" }).click();
  const signUp = page.getByRole("dialog", { name: "Sign up" });
  await signUp.getByLabel("E-mail").fill("privacy@example.com");
  await signUp.getByLabel("Password").fill(password);
  const create = signUp.getByRole("button", { name: "Create account" });
  await expect(create).toBeDisabled();
  await accessible();
  await picture("privacy-consent");
  await signUp.getByRole("checkbox", { name: "I have read this and I agree." }).check();
  await create.click();
  await expect(page.getByText("Signed in as privacy@example.com")).toBeVisible();

  await page.getByRole("link", { name: "Privacy & Data" }).click();
  await expect(page.getByRole("heading", { name: "Where your text goes" })).toBeVisible();
  const mask = page.getByRole("switch", { name: "Mask names, GSTINs and PANs" });
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/api/privacy"),
  );
  await mask.check();
  await saved;
  await page.reload();
  await expect(mask).toBeChecked();
  await expect(page.getByRole("list", { name: "Recent activity" })).toContainText("Account created");
  await expect(page.getByRole("region", { name: "Where you are signed in" })).toContainText("this browser");
  await accessible();
  await picture("privacy");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "Erase everything…" }).scrollIntoViewIfNeeded();
  await accessible({ colours: true });
  await picture("privacy-dark");
  await page.emulateMedia({ colorScheme: "light" });

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download everything" }).click();
  const zip = await download;
  expect(zip.suggestedFilename()).toMatch(/^munshi-.*\.zip$/);
  expect(
    readFileSync(await zip.path())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");
  await expect(page.getByRole("list", { name: "Recent activity" })).toContainText("Everything downloaded");

  await page.getByRole("button", { name: "Erase everything…" }).click();
  const sure = page.getByRole("dialog", { name: "Erase everything?" });
  await sure.getByLabel("Your password").fill("wrong horse");
  await sure.getByRole("button", { name: "Erase everything" }).click();
  await expect(sure.getByRole("alert")).toContainText("This is not the password of the account.");
  await accessible();
  await picture("privacy-erase");
  await sure.getByLabel("Your password").fill(password);
  await sure.getByRole("button", { name: "Erase everything" }).click();
  await expect(page).toHaveURL(/\/erased\//);
  await expect(page.getByRole("heading", { name: "Your data has been erased" })).toBeVisible({ timeout: 90_000 });
  await accessible();
  await picture("privacy-erased");
  await page.getByRole("link", { name: "Back to the home page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Read the notice before you fear it." })).toBeVisible();
  await page.getByRole("link", { name: "Launch the app" }).click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign in" })).toBeVisible();
  await page.goto(conversation);
  await expect(page.getByText("You are signed out. Sign in to see this notice.")).toBeVisible();
});

test.describe("on a phone, in the dark", () => {
  test.use({ viewport: { width: 320, height: 700 }, hasTouch: true, colorScheme: "dark" });

  test(
    "a visitor types a word to have everything erased, and nothing scrolls sideways",
    soak,
    async ({ page, picture, accessible }) => {
      await page.goto("/app/privacy");
      await page.getByRole("switch", { name: "Mask names, GSTINs and PANs" }).check();
      await expect(
        page.getByText("Without an account, your work is erased 180 days after your last visit."),
      ).toBeVisible();
      await expect.poll(() => wide(page)).toBe(320);
      await accessible();
      await picture("privacy-phone");
      await page.getByRole("button", { name: "Erase everything…" }).click();
      const sure = page.getByRole("dialog", { name: "Erase everything?" });
      await sure.getByLabel("Type “erase”").fill("erase");
      await accessible();
      await picture("privacy-phone-erase");
      await sure.getByRole("button", { name: "Erase everything" }).click();
      await expect(page.getByRole("heading", { name: "Your data has been erased" })).toBeVisible({ timeout: 90_000 });
      await picture("privacy-phone-erased");
    },
  );
});
