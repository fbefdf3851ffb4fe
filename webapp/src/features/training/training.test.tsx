import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { renderElement } from "@test/render";
import { config, me, problem, server } from "@test/server";
import type {
  EvalCase,
  EvalDetail,
  EvalPoint,
  EvalReading,
  EvalResult,
  EvalRun,
  EvalSeries,
  Training,
} from "@/lib/api";
import { TrainingSection } from "./TrainingSection";

const failed = "Failed to complete training process. Please try again.";
const hourAgo = () => new Date(Date.now() - 12 * 60_000).toISOString();
const training = (over: Partial<Training> = {}): Training => ({
  state: "done",
  accuracy: 80,
  shown: "80.00%",
  metrics: { totalTests: 5, passedTests: 4, failedTests: 1 },
  contains: { name: "contains", passed: 5, of: 5, accuracy: "100.00%", low: 0.57, high: 1 },
  done: 5,
  of: 5,
  error: "",
  cached: false,
  model: "",
  offline: true,
  run: "",
  finished_at: hourAgo(),
  ...over,
});
const never: Training = {
  state: "none",
  accuracy: 0,
  shown: "no cases",
  metrics: { totalTests: 0, passedTests: 0, failedTests: 0 },
  done: 0,
  of: 0,
  error: "",
  cached: false,
  model: "",
  offline: false,
  run: "",
};

/** Returns the answers one after the other, and then repeats the last one. */
function answers(...list: (Training | null)[]) {
  const left = [...list];
  return () => {
    const next = left.length > 1 ? left.shift() : left[0];
    return next === null || next === undefined ? problem(500, "internal", "Something broke.") : HttpResponse.json(next);
  };
}

async function open() {
  const view = renderElement(<TrainingSection />);
  await view.user.click(screen.getByText("Model Training Dashboard"));
  const run = await screen.findByRole("button", { name: "Run training" });
  await waitFor(() => {
    expect(run).toHaveProperty("disabled", false);
  });
  return { ...view, run };
}

const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

Element.prototype.scrollIntoView = () => undefined;

describe("the dashboard", () => {
  it("asks the server for nothing until it is opened", async () => {
    let asked = 0;
    server.use(
      http.get("*/api/training", () => {
        asked += 1;
        return HttpResponse.json(never);
      }),
    );
    const { user } = renderElement(<TrainingSection />);
    expect(screen.queryByRole("button")).toBeNull();
    expect(asked).toBe(0);
    await user.click(screen.getByText("Model Training Dashboard"));
    expect(await screen.findByText("Not run yet.")).toBeTruthy();
    expect(asked).toBe(1);
  });

  it("runs the examples, counts while it runs, and says what came of them", async () => {
    const running = training({
      state: "running",
      shown: "100.00%",
      metrics: { totalTests: 2, passedTests: 2, failedTests: 0 },
      done: 2,
    });
    server.use(
      http.get(
        "*/api/training",
        answers(never, { ...running, done: 3 }, training({ finished_at: new Date().toISOString() })),
      ),
      http.post("*/api/training", () => HttpResponse.json(running, { status: 202 })),
    );
    const { user, run } = await open();
    expect(figure("Accuracy")).toBe("–");
    await user.click(run);
    expect(await screen.findByText("2 of 5 examples done")).toBeTruthy();
    expect(screen.getByRole("progressbar", { name: "Examples done" }).getAttribute("aria-valuemax")).toBe("5");
    expect(screen.getByRole("button", { name: "Training is running" })).toHaveProperty("disabled", true);
    expect(figure("Accuracy")).toBe("–"); // two examples alone give no accuracy
    await waitFor(() => {
      expect(screen.getByRole("status").textContent).toBe("Accuracy 80.00%. Passed tests: 4. Failed tests: 1.");
    });
    expect([figure("Accuracy"), figure("Passed tests"), figure("Failed tests")]).toEqual(["80.00%", "4", "1"]);
    expect(screen.getByText("Last run just now.")).toBeTruthy();
  });

  it("tells that what is shown was measured before, and when", async () => {
    server.use(
      http.get("*/api/training", answers(training())),
      http.post("*/api/training", () => HttpResponse.json(training({ cached: true }), { status: 202 })),
    );
    const { user, run } = await open();
    expect(screen.getByText("Last run 12 minutes ago.")).toBeTruthy();
    await user.click(run);
    expect(await screen.findByText("Last run 12 minutes ago. The examples are run at most once an hour.")).toBeTruthy();
    expect(screen.queryByText("Latest runs")).toBeNull();
  });

  it("says who gave the answers", async () => {
    server.use(http.get("*/api/training", answers(training({ offline: false, model: "gpt-5 of openai" }))));
    await open();
    expect(screen.getByText("These answers came from gpt-5 of openai.")).toBeTruthy();
  });

  it("says no cases where there are none", async () => {
    server.use(
      http.get(
        "*/api/training",
        answers(training({ accuracy: 0, shown: "0 of 0", metrics: { totalTests: 0, passedTests: 0, failedTests: 0 } })),
      ),
    );
    await open();
    expect(figure("Accuracy")).toBe("no cases");
    expect(figure("Failed tests")).toBe("0");
  });

  it("says the specified sentence when it cannot begin, and begins on a second try", async () => {
    let tries = 0;
    server.use(
      http.get("*/api/training", answers(never)),
      http.post("*/api/training", () => {
        tries += 1;
        return tries === 1
          ? problem(500, "prepare_failed", "Failed to prepare training data")
          : HttpResponse.json(training(), { status: 202 });
      }),
    );
    const { user, run } = await open();
    await user.click(run);
    expect(await screen.findByText(failed)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => {
      expect(figure("Accuracy")).toBe("80.00%");
      expect(figure("Contain the expected text")).toBe("100.00% (5 of 5)");
    });
    expect(screen.queryByText(failed)).toBeNull();
  });

  it("says the same of a run that failed, and shows no number of it", async () => {
    server.use(http.get("*/api/training", answers(training({ state: "failed", error: "Failed to evaluate model" }))));
    await open();
    expect(within(screen.getByRole("alert")).getByText(failed)).toBeTruthy();
    expect(figure("Accuracy")).toBe("–");
  });
});

const score = { name: "", passed: 4, of: 5, accuracy: "80.00%", low: 0.4, high: 0.9 };
const totals = {
  ...score,
  failed: 1,
  ungraded: 0,
  hard_failed: 0,
  cached: 0,
  input_tokens: 0,
  output_tokens: 0,
  milliseconds: 100,
};
const evalRun = (id: string, over: Partial<EvalRun> = {}): EvalRun => ({
  id,
  by: "training",
  state: "done",
  reason: "",
  set: "builtin",
  chosen: [],
  offline: true,
  bundles: { lawyer: "a".repeat(64) },
  model: "the offline engine",
  repeats: 1,
  tests: 5,
  done: 5,
  totals,
  held: [],
  blessed_for: [],
  created_at: hourAgo(),
  url: "",
  ...over,
});
const [first, second] = ["44444444-4444-4444-8444-444444444444", "55555555-5555-4555-8555-555555555555"];
const result: EvalResult = {
  case: "lawyer/registration",
  category: "registration",
  set: "builtin",
  difficulty: "basic",
  language: "en",
  repeat: 1,
  outcome: "failed",
  error: "",
  output: "Within 60 days.",
  milliseconds: 40,
  input_tokens: 0,
  output_tokens: 0,
  cached: false,
  verdicts: [
    { grader: "contains", hard: true, passed: false, skipped: false, model: false, says: 'It lacks "30 days".' },
  ],
};

const caseList: EvalCase[] = [
  {
    name: "lawyer/registration",
    plugin: "lawyer",
    set: "builtin",
    category: "registration",
    difficulty: "basic",
    language: "en",
  },
  {
    name: "lawyer/late",
    plugin: "lawyer",
    set: "golden",
    category: "registration",
    difficulty: "basic",
    language: "en",
  },
  { name: "notice/drc01", plugin: "notice", set: "golden", category: "demand", difficulty: "basic", language: "en" },
];
const point = (run: string, passed: number, over: Partial<EvalPoint> = {}): EvalPoint => ({
  name: "lawyer",
  passed,
  of: 5,
  accuracy: `${String(passed * 20)}.00%`,
  low: 0.1,
  high: 0.9,
  run,
  at: hourAgo(),
  by: "operator",
  prompts: "a".repeat(64),
  model: "the offline engine",
  prompts_changed: false,
  model_changed: false,
  blessed: false,
  ...over,
});

/** The data of an operator's server; a test changes it. */
function operate(run: EvalRun, by: "link" | "account" = "link") {
  const held = {
    run,
    acts: [] as string[],
    wanted: undefined as unknown,
    series: [] as EvalSeries[],
    readings: [] as EvalReading[],
  };
  const detail = (): EvalDetail => ({ ...held.run, results: [result], categories: [], graders: [], cases: [] });
  server.use(
    by === "link"
      ? http.get("*/api/config", () => HttpResponse.json({ ...config, operator: true }))
      : http.get("*/api/me", () => HttpResponse.json({ ...me, signed_in: true, operator: true })),
    http.get("*/api/training", answers(training())),
    http.get("*/api/evals/cases", () => HttpResponse.json({ cases: caseList, problems: [] })),
    http.get("*/api/evals/history", () => HttpResponse.json({ series: held.series })),
    http.get("*/api/evals/readings", () => HttpResponse.json({ readings: held.readings })),
    http.post("*/api/evals/runs", async ({ request }) => {
      held.wanted = await request.json();
      return detailed();
    }),
    http.get("*/api/evals/runs", () => HttpResponse.json({ runs: [held.run, evalRun(first)] })),
    http.get("*/api/evals/runs/:id", detailed),
    http.post("*/api/evals/runs/:id/:act", ({ params }) => {
      held.acts.push(String(params.act));
      held.run = {
        ...held.run,
        ...(params.act === "bless" ? { blessed_for: ["lawyer"] } : { state: "cancelled" as const }),
      };
      return detailed();
    }),
  );
  function detailed() {
    return HttpResponse.json(detail());
  }
  return held;
}

describe("for operators", () => {
  it("shows the runs, a run's cases with their answers and verdicts, and blesses it", async () => {
    const held = operate(evalRun(second), "account");
    const { user } = await open();
    const runs = within(await screen.findByRole("group", { name: "Latest runs" }));
    const [button] = runs.getAllByRole("button", { name: /Show the cases of lawyer/ });
    if (button === undefined) throw new Error("no run");
    expect(runs.getAllByRole("row", { name: /lawyer built-in examples training 80\.00% 4 1 done/ })).toHaveLength(2);
    await user.click(button);
    await user.click(await screen.findByRole("button", { name: "Show the answer to lawyer/registration" }));
    expect(screen.getByRole("region", { name: "Answer to lawyer/registration" }).textContent).toBe("Within 60 days.");
    expect(screen.getByText('It lacks "30 days".')).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Bless" }));
    expect(await screen.findByText("blessed for lawyer")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Bless" })).toBeNull();
    expect(held.acts).toEqual(["bless"]);
  });

  it("has chosen cases tried several times by the folder's prompts, and shows the run", async () => {
    const held = operate(evalRun(second, { state: "running", done: 1 }));
    const { user } = await open();
    await screen.findByRole("button", { name: "Run 3 cases" });
    await user.selectOptions(screen.getByLabelText("Plugin"), "lawyer");
    await user.selectOptions(screen.getByLabelText("Cases"), "golden");
    await user.selectOptions(screen.getByLabelText("Prompts"), "folder");
    await user.selectOptions(screen.getByLabelText("Repeats per case"), "3");
    await user.click(screen.getByText("Choose individual cases"));
    await user.click(screen.getByLabelText("lawyer/late"));
    expect(screen.queryByLabelText("notice/drc01")).toBeNull();
    expect(screen.getByText("1 case chosen")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Run 3 cases" }));
    expect(await screen.findByRole("progressbar", { name: "Cases done" })).toBeTruthy();
    expect(held.wanted).toEqual({
      plugin: "lawyer",
      set: "golden",
      cases: ["lawyer/late"],
      repeats: 3,
      prompts: "folder",
    });
  });

  it("draws how a set went over time, tells what changed, and opens a run from it", async () => {
    const held = operate(evalRun(second));
    held.series = [
      {
        plugin: "lawyer",
        set: "golden",
        points: [
          point(first, 4, { blessed: true }),
          point(second, 2, { prompts_changed: true, prompts: "b".repeat(64) }),
        ],
      },
      { plugin: "notice", set: "attack", points: [point(first, 5, { model_changed: true })] },
    ];
    const { user } = await open();
    expect(
      await screen.findByRole("img", {
        name: /^Accuracy of lawyer, golden set, in 2 runs: from 80\.00% .* to 40\.00%/,
      }),
    ).toBeTruthy();
    const points = within(screen.getByRole("group", { name: /^Runs, oldest first/ })).getAllByRole("button");
    expect(points.map((button) => button.tabIndex)).toEqual([-1, 0]);
    const told = () => screen.getByText(/confidence interval 10% to 90%/).textContent;
    expect(told()).toContain("2 of 5 passed");
    expect(told()).toContain("The prompts changed since the run before.");
    points[1]?.focus();
    await user.keyboard("{ArrowLeft}");
    expect(document.activeElement).toBe(points[0]);
    expect(told()).toContain("4 of 5 passed");
    expect(told()).toContain("This run is blessed.");
    await user.click(screen.getByText("The same numbers as a table"));
    expect(
      within(screen.getByRole("group", { name: "The same numbers as a table" })).getAllByRole("row", { name: /of 5/ }),
    ).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Show this run" }));
    expect(await screen.findByRole("group", { name: "Cases of this run" })).toBeTruthy();
    await user.selectOptions(screen.getByLabelText("Accuracy of"), "notice/attack");
    expect(screen.getByRole("img", { name: /one run/ })).toBeTruthy();
    expect(screen.getByText(/5 of 5 passed/).textContent).toContain("The model or its settings changed since");
  });

  it("shows how notices of a corpus were read, the last runs and the latest by field and kind of paper", async () => {
    const held = operate(evalRun(second));
    const all = { name: "all", right: 90, wrong: 2, missing: 8, f1: 0.947 };
    const read = (id: string, corpus: string, papers: number): EvalReading => ({
      id,
      at: hourAgo(),
      corpus,
      version: "1.0",
      papers,
      all,
      fields: [{ ...all, name: "reply_due", f1: 0.917 }],
      classes: [{ ...all, name: "letter", f1: 0.5 }],
      dates_left: 5,
      dates_offered: 3,
      demands_left: 1,
      demands_offered: 1,
    });
    held.readings = [read(first, "opened", 20), read(second, "opened", 19)];
    const { user } = await open();
    const runs = await screen.findByRole("group", { name: "Latest results for opened" });
    expect(within(runs).getAllByRole("row")).toHaveLength(3);
    expect(within(runs).getAllByText("4 of 6")).toHaveLength(2);
    await user.click(screen.getByText("Latest result by field"));
    expect(screen.getByRole("row", { name: "Reply date 0.917 90 2 8" })).not.toBeNull();
    await user.click(screen.getByText("Latest result by kind of notice"));
    expect(screen.getByRole("row", { name: "Letters without a form 0.500 90 2 8" })).not.toBeNull();
  });

  it("cancels a run that goes on", async () => {
    const held = operate(evalRun(second, { state: "running", done: 2 }));
    const { user } = await open();
    expect(await screen.findByText("2 of 5 done")).toBeTruthy();
    expect(screen.getByRole("row", { name: /– – – 2 of 5 done/ })).toBeTruthy();
    const [button] = screen.getAllByRole("button", { name: /Show the cases/ });
    if (button === undefined) throw new Error("no run");
    await user.click(button);
    await user.click(await screen.findByRole("button", { name: "Cancel this run" }));
    expect(await screen.findByText("cancelled")).toBeTruthy();
    expect(held.acts).toEqual(["cancel"]);
    expect(document.activeElement?.textContent).toContain("Answered by"); // the focus is not lost with the button
  });

  it("compares a run with another, then with the blessed ones, which there may be none of", async () => {
    operate(evalRun(second));
    server.use(
      http.get("*/api/evals/runs/:id/comparison", ({ request }) => {
        if (new URL(request.url).searchParams.get("with") !== first)
          return problem(404, "not_found", "No run of lawyer is blessed yet.");
        const broken = {
          case: "lawyer/registration",
          category: "registration",
          before: { ...score, passed: 1, of: 1 },
          after: { ...score, passed: 0, of: 1 },
          hard: true,
          graders: ["contains"],
          says: ['It lacks "30 days".'],
          diff: "--- a\n+++ b\n@@ -1 +1 @@\n-Within 30 days.\n+Within 60 days.\n",
        };
        return HttpResponse.json({
          fixed: [],
          broken: [broken],
          reworded: [],
          unchanged: 4,
          added: [],
          gone: [],
          before: { ...score, passed: 5, accuracy: "100.00%" },
          after: score,
          categories: [],
          graders: [],
        });
      }),
    );
    const { user } = await open();
    const button = (await screen.findAllByRole("button", { name: /Show the cases/ }))[0];
    if (button === undefined) throw new Error("no run");
    await user.click(button);
    await user.selectOptions(await screen.findByLabelText("Compare with"), first);
    expect(
      await screen.findByText("0 fixed, 1 broken, 4 unchanged. Accuracy 100.00% before, 80.00% in this run."),
    ).toBeTruthy();
    const broken = within(screen.getByRole("region", { name: "Broken" }));
    await user.click(broken.getByText("What differs in the answer"));
    expect(broken.getByText("Within 60 days.").tagName).toBe("INS");
    expect(broken.getByText("Within 30 days.").tagName).toBe("DEL");
    await user.selectOptions(screen.getByLabelText("Compare with"), "blessed");
    expect((await screen.findByText("No run of lawyer is blessed yet.")).parentElement?.getAttribute("role")).toBe(
      "alert",
    );
  });
});
