import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test, wide } from "./test";

/** Creates a new link for operators, as an administrator of the product would. */
function operatorLink(baseURL: string): string {
  const { MUNSHI_E2E_OFFLINE_STATE: state, MUNSHI_E2E_OFFLINE_PROMPTS: prompts } = process.env;
  if (state === undefined || prompts === undefined) throw new Error("the stack was not started");
  const env = {
    ...process.env,
    MUNSHI_LOCAL_STATE_DIR: state,
    MUNSHI_PROMPTS_DIR: prompts,
    MUNSHI_SERVER_ADDRESS: new URL(baseURL).host,
  };
  const home = path.resolve(import.meta.dirname, "../..");
  return execFileSync(path.join(home, "bin/munshi"), ["operator", "link"], {
    cwd: home,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

test("a visitor runs the training and sees its accuracy; an operator sees the cases, compares and blesses", async ({
  page,
  picture,
  accessible,
  baseURL,
}) => {
  if (baseURL === undefined) throw new Error("no address");
  const dashboard = page.getByText("Model Training Dashboard");
  const figure = (name: string) => page.getByRole("definition").and(page.locator(`dt:text-is("${name}") + dd`));
  const start = page.getByRole("button", { name: "Run training" });

  await page.goto("/app/notices");
  await dashboard.click();
  await expect(page.getByText("Not run yet.")).toBeVisible();
  await start.click();
  await expect(page.getByText(/^Last run/)).toBeVisible();
  await expect(figure("Accuracy")).toHaveText(/^\d{1,3}\.\d\d%$/);
  const [accuracy, passed, failed] = await Promise.all(
    ["Accuracy", "Passed tests", "Failed tests"].map((name) => figure(name).innerText()),
  );
  expect(Number(passed) + Number(failed)).toBe(5);
  expect(accuracy).toBe(`${((Number(passed) / 5) * 100).toFixed(2)}%`);
  await expect(page.getByText("Latest runs")).toHaveCount(0);
  await picture("training");
  await accessible();
  await start.click();
  await expect(page.getByText("at most once an hour")).toBeVisible();

  await page.goto(operatorLink(baseURL));
  await page.getByRole("button", { name: "Become an operator" }).click();
  await expect(page).toHaveURL(/\/app\/operators$/);
  await page.goto("/app/notices");
  await dashboard.click();
  await start.click(); // for an operator the examples are measured anew
  const shows = page.getByRole("button", { name: /^Show the cases of lawyer/ });
  await expect(shows).toHaveCount(2);
  await expect(page.getByRole("row", { name: / done / })).toHaveCount(2);
  await shows.first().click();
  const cases = page.getByRole("group", { name: "Cases of this run" });
  await expect(cases.getByRole("row")).toHaveCount(6);
  await page.getByRole("button", { name: "Show the answer to lawyer/registration" }).click();
  await expect(page.getByRole("region", { name: "Answer to lawyer/registration" })).not.toBeEmpty();
  await page.getByLabel("Compare with").selectOption({ index: 2 });
  await expect(page.getByText("0 fixed, 0 broken, 5 unchanged.")).toBeVisible();
  await page.getByRole("button", { name: "Bless" }).click();
  await expect(page.getByText("blessed for lawyer")).toBeVisible();
  await picture("training-operator");
  await accessible();
  await page.getByRole("radio", { name: "Dark" }).click();
  await accessible({ colours: true });
  await page.setViewportSize({ width: 320, height: 700 });
  await expect.poll(() => wide(page)).toBe(320);
  await picture("training-phone-dark");
  await page.getByRole("region", { name: "Answer to lawyer/registration" }).scrollIntoViewIfNeeded();
  await picture("training-answer-phone-dark");
});
