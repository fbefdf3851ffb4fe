import { expect, soak, test, wide } from "./test";

test("the workspace opens AI Lawyer", async ({ page }) => {
  for (const path of ["/app", "/app/no-such-tab"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/app\/lawyer$/);
  }
  await expect(page.getByRole("heading", { name: "AI Lawyer" })).toBeVisible();
});

test("tabs are deep links, and the back button follows them", async ({ page, picture, accessible }) => {
  await page.goto("/app/summary");
  await expect(page.getByRole("heading", { name: "Summarize a Document" })).toBeVisible();
  const tabs = page.getByRole("navigation", { name: "Workspace" });
  await tabs.getByRole("link", { name: "Notice Analysis" }).click();
  await expect(page).toHaveURL(/\/app\/notices$/);
  await page.goBack();
  await expect(tabs.getByRole("link", { name: "Document Summarizer" })).toHaveAttribute("aria-current", "page");
  await page.goto("/app/drafting");
  await expect(page.getByRole("heading", { name: "Draft a Legal Document" })).toBeVisible();
  await picture("drafting-empty");
  await accessible();
});

test("the sidebar's views open and go back", async ({ page, accessible, picture }) => {
  await page.goto("/app/notices");
  const sidebar = page.getByRole("complementary", { name: "Menu" });
  for (const view of ["Draft History", "Templates"]) {
    await sidebar.getByRole("button", { name: view }).click();
    await expect(sidebar.getByRole("heading", { name: view })).toBeVisible();
    await accessible();
    await picture(`sidebar-${view.toLowerCase().replace(" ", "-")}`);
    await sidebar.getByRole("button", { name: "Back" }).click();
  }
  await expect(sidebar.getByText("Nothing leaves this server.")).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await picture("help");
  await accessible();
  await page.keyboard.press("Escape");
});

test("the theme is kept over a reload and is there before the first paint", async ({ page }) => {
  await page.goto("/app/notices");
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  expect(await theme()).toBe("light");
  await page.getByRole("radio", { name: "Dark" }).click();
  await expect.poll(theme).toBe("dark");
  await page.reload({ waitUntil: "commit" });
  await expect.poll(theme).toBe("dark");
  await page.getByRole("radio", { name: "System" }).click();
  await expect.poll(theme).toBe("light");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

  test(
    "the sidebar slides in over the page and nothing scrolls sideways",
    soak,
    async ({ page, picture, accessible }) => {
      await page.goto("/app/notices");
      await expect(page.getByRole("heading", { name: "Upload a Notice to Begin" })).toBeVisible();
      await page.getByRole("button", { name: "Menu" }).tap();
      const drawer = page.getByRole("dialog", { name: "Menu" });
      await expect(drawer.getByRole("button", { name: "Draft History" })).toBeVisible();
      await picture("phone-menu");
      await accessible();
      await page.keyboard.press("Escape");
      await expect(drawer).toHaveCount(0);
      for (const path of ["lawyer", "notices", "drafting", "summary"]) {
        await page.goto(`/app/${path}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect.poll(() => wide(page)).toBe(320);
      }
    },
  );
});

test("where nothing is sold, nothing is counted", async ({ page }) => {
  await page.goto("/app/lawyer");
  await expect(
    page.getByRole("complementary", { name: "Menu" }).getByRole("button", { name: "Sign in" }),
  ).toBeVisible();
  await expect(page.getByText(/free uses? left/)).toHaveCount(0);
});
