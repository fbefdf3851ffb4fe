import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { HeldModel } from "./held";
import { expect, test, wide } from "./test";

const home = path.resolve(import.meta.dirname, "../..");

/**
 * Legal ops try cases, the publishing gate stops them, they see what a bad prompt would break, mend it and bless the
 * run.
 */
test("a bad prompt is stopped, seen for what it breaks, mended and blessed", async ({
  page,
  playwright,
  baseURL,
  picture,
  accessible,
}) => {
  test.slow(); // trials one after the other
  const { MUNSHI_E2E_PROMPTS: prompts, MUNSHI_E2E_STATE: state, MUNSHI_E2E_MODEL_ADDRESS: address } = process.env;
  if (prompts === undefined || state === undefined || address === undefined || baseURL === undefined)
    throw new Error("the stack was not started");
  const env = {
    ...process.env,
    MUNSHI_LOCAL_STATE_DIR: state,
    MUNSHI_PROMPTS_DIR: prompts,
    MUNSHI_SERVER_ADDRESS: new URL(baseURL).host,
  };
  const link = execFileSync(path.join(home, "bin/munshi"), ["operator", "link"], {
    cwd: home,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
  const model = new HeldModel();
  model.says = (system) =>
    system.includes("Write everything loudly")
      ? "Success is guaranteed. "
      : "Under section 16(4), and from 40 lakh on. ";
  await model.listen(address);
  const file = path.join(prompts, "lawyer/chat.md");
  const asItCame = readFileSync(file, "utf8");
  const save = (rule: string) => {
    expect(asItCame).toContain("## What to write\n");
    writeFileSync(file, asItCame.replace("## What to write\n", `## What to write\n\n- ${rule}`));
  };
  const visitor = await playwright.request.newContext({ baseURL });
  const asked = async () => {
    const { id } = (await (await visitor.post("/api/conversations", { data: { plugin: "lawyer" } })).json()) as {
      id: string;
    };
    await visitor.post(`/api/conversations/${id}/messages`, { data: { text: "Who must register?" } });
    await expect
      .poll(
        async () =>
          ((await (await visitor.get(`/api/conversations/${id}`)).json()) as { turn: { state: string } }).turn.state,
        { intervals: [50] },
      )
      .toBe("answered");
    return model.asked.at(-1);
  };
  const table = page.getByRole("group", { name: "Latest runs" });
  const rows = (name: RegExp) => table.getByRole("row", { name });
  const dashboard = async () => {
    await page.goto("/app/notices");
    await page.getByText("Model Training Dashboard").click();
    await page.getByLabel("Plugin", { exact: true }).selectOption("lawyer");
  };

  try {
    await page.goto(link.split("\n")[0] ?? "");
    await page.getByRole("button", { name: "Become an operator" }).click();
    await expect(page).toHaveURL(/\/app\/operators$/);

    // The cases pass, and the run is blessed.
    await dashboard();
    await page.getByRole("button", { name: "Run 3 cases" }).click();
    await expect(rows(/operator 100\.00% 3 0 done/)).toHaveCount(1);
    await page.getByRole("button", { name: "Bless" }).click();
    await expect(page.getByText("blessed for lawyer")).toBeVisible();

    // The gate tries a bad change, which is not served.
    save("Write everything loudly.");
    await expect(rows(/publishing gate 0\.00% 0 3 done/)).toHaveCount(1);
    expect(await asked()).not.toContain("loudly");

    // The page shows what it would break, before anyone meets it: first of all compared with the run before.
    await page.getByLabel("Prompts", { exact: true }).selectOption("folder");
    await page.getByText("Choose individual cases").click();
    await page.getByRole("checkbox", { name: "lawyer/follow-on" }).check();
    await page.getByRole("button", { name: "Run 1 case" }).click();
    await expect(rows(/1 chosen case operator 0\.00% 0 1 done/)).toHaveCount(1);
    await page.getByLabel("Compare with").selectOption("blessed");
    await expect(page.getByText("0 fixed, 1 broken, 0 unchanged.")).toBeVisible();
    const broken = page.getByRole("region", { name: "Broken" });
    await expect(broken).toContainText("A check that must pass fails.");
    await broken.getByText("What differs in the answer").click();
    await expect(broken.locator("ins")).toContainText("guaranteed");
    await picture("gate-broken");
    await rows(/publishing gate/)
      .getByRole("button", { name: /^Show the cases/ })
      .click();
    await expect(page.getByText(/lawyer\/follow-on must hold/)).toBeVisible();
    await page.goto("/app/operators");
    await expect(page.getByText(/lawyer\/follow-on must hold/)).toBeVisible();
    await expect(page.getByText("munshi prompts publish lawyer --override --reason")).toBeVisible();
    await picture("gate-held");
    await accessible();

    // When mended, it is served, and later runs are compared with its run.
    save("Write everything plainly.");
    await dashboard();
    await expect(rows(/publishing gate 100\.00% 3 0 done/)).toHaveCount(1);
    await expect.poll(asked).toContain("plainly");
    await rows(/publishing gate 100/)
      .getByRole("button", { name: /^Show the cases/ })
      .click();
    await page.getByRole("button", { name: "Bless" }).click();
    await expect(rows(/publishing gate 100/)).toContainText("blessed for lawyer");

    // All runs over time.
    await expect(page.getByLabel("Accuracy of", { exact: true })).toHaveValue("lawyer/golden");
    const points = page.getByRole("group", { name: /^Runs, oldest first/ }).getByRole("button");
    await expect(points).toHaveCount(3);
    await points.last().focus();
    await expect(page.getByText("This run is blessed.").first()).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await expect(points.nth(1)).toBeFocused();
    await expect(page.getByText(/0 of 1 passed/)).toContainText("The prompts changed since the run before.");
    await page.getByRole("heading", { name: "Accuracy over time" }).scrollIntoViewIfNeeded();
    await picture("gate-history");
    await page.getByRole("radio", { name: "Dark" }).click();
    await picture("gate-history-dark");
    await accessible();
    await page.getByText("The same numbers as a table").click();
    await page.setViewportSize({ width: 320, height: 700 });
    await expect.poll(() => wide(page)).toBe(320);
    await page.getByRole("heading", { name: "Run cases" }).scrollIntoViewIfNeeded();
    await picture("gate-start-phone-dark");
    await page.getByRole("heading", { name: "Accuracy over time" }).scrollIntoViewIfNeeded();
    await picture("gate-history-phone-dark");

    writeFileSync(file, asItCame);
    await expect.poll(asked).not.toContain("plainly"); // a version that served once needs no trial
  } finally {
    writeFileSync(file, asItCame);
    await visitor.dispose();
    await model.close();
  }
});
