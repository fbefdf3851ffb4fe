import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { config, problem, server } from "@test/server";
import type { PromptChange, PromptPlugin, PromptPreviews, Run } from "@/lib/api";
import { diffLines } from "@/lib/ui/diff";
import { MistakesBanner } from "./MistakesBanner";
import { mistakesOf } from "./mistakes";
import { OperatorsPage } from "./OperatorsPage";

const [old, latest] = ["a".repeat(64), "b".repeat(64)];
const change = (over: Partial<PromptChange> = {}): PromptChange => ({
  plugin: "notice",
  sha: latest,
  event: "served",
  commit: "",
  author: "",
  at: "2025-05-12T10:00:00Z",
  ...over,
});
const mistake = {
  file: "_shared/tone.md",
  line: 3,
  column: 12,
  message: 'There is no variable "todya". Did you mean "today"?',
  prompts: ["notice/chat", "notice/part"],
};
const plugin = (over: Partial<PromptPlugin> = {}): PromptPlugin => ({
  plugin: "notice",
  serving: { sha: latest, since: "2025-05-12T10:00:00Z" },
  folder: change({ author: "Ravi" }),
  problems: [],
  ...over,
});
const run: Run = {
  turn: "22222222-2222-4222-8222-222222222222",
  plugin: "notice",
  kind: "chat",
  state: "failed",
  error_code: "model_refused",
  created_at: "2025-05-12T10:00:00Z",
  milliseconds: 4321,
  url: "http://temporal.example/namespaces/default/workflows/turn-2222",
  trace_url: "",
};

type Tried = { sha: string; prompt: string; values: Record<string, string> };
const tried: Tried[] = [];
beforeEach(() => {
  tried.length = 0;
});
const variable = { type: "text" as const, untrusted: true, required: true, choices: [], sample: "" };
const prompts = [
  {
    prompt: "analyse",
    purpose: "Analyses",
    variables: [],
    messages: [{ role: "system" as const, text: "Analyse <b>this</b>" }],
  },
  {
    prompt: "chat",
    purpose: "Talks",
    messages: [{ role: "user" as const, text: "Hello" }],
    variables: [
      { ...variable, name: "message", sample: "Hello" },
      { ...variable, name: "part_number", type: "number" as const, untrusted: false, required: false, sample: "2" },
      { ...variable, name: "input_side", untrusted: false, choices: ["Customer", "Supplier"], sample: "Customer" },
    ],
  },
];
const previews: PromptPreviews = {
  folder: "other",
  versions: [
    { sha: latest, serves: true, prompts },
    { sha: old, serves: false, prompts },
  ],
};

function stand(plugins: PromptPlugin[]) {
  server.use(
    http.get("*/api/config", () => HttpResponse.json({ ...config, operator: true })),
    http.get("*/api/prompts", () =>
      HttpResponse.json({
        plugins,
        history: [change({ event: "broken", author: "Ravi" }), change({ author: "Asha", commit: "c".repeat(40) })],
      }),
    ),
    http.get("*/api/prompts/notice/versions", () =>
      HttpResponse.json({ versions: [change({ author: "Asha" }), change({ sha: old })] }),
    ),
    http.get("*/api/prompts/notice/changes", ({ request }) => {
      const { searchParams: query } = new URL(request.url);
      const same = query.get("from") === query.get("to");
      return HttpResponse.json({
        files: same
          ? []
          : [{ file: "_shared/tone.md", diff: "--- a\n+++ b\n@@ -1,2 +1,2 @@\n Dear all\n-Plain\n+Plain and warm\n" }],
      });
    }),
    http.get("*/api/prompts/notice/previews", () => HttpResponse.json(previews)),
    http.post("*/api/prompts/notice/previews", async ({ request }) => {
      const body = (await request.json()) as Tried;
      tried.push(body);
      if (body.values.part_number !== undefined) return problem(422, "wrong_value", "part_number is a number.");
      return HttpResponse.json({
        messages: [
          { role: "user", text: `<message-0123456789ab>\n${body.values.message ?? ""}\n</message-0123456789ab>` },
        ],
      });
    }),
    http.get("*/api/runs", () => HttpResponse.json({ runs: [run] })),
  );
}

const show = () =>
  renderRoutes(
    [
      {
        path: "/app/operators",
        element: (
          <>
            <MistakesBanner />
            <OperatorsPage />
          </>
        ),
      },
    ],
    "/app/operators",
  );

describe("the operators' page", () => {
  it("shows what serves, since when and by whom, and says that files are what counts", async () => {
    stand([plugin()]);
    show();
    await screen.findByRole("heading", { name: "Plugins" });
    const table = within(screen.getAllByRole("table")[0] ?? document.body);
    expect(table.getByRole("row", { name: /notice bbbbbbbbbb .* Asha, commit cccccccccc the same/ })).toBeTruthy();
    expect(screen.getByText(/To publish a file, save it/)).toBeTruthy();
    expect(screen.getByText("The prompt files have no mistakes.")).toBeTruthy();
    expect(screen.queryByText(/the last good version stays live/)).toBeNull();
  });

  it("lists each mistake once with its place and sentence, here and in the banner", async () => {
    stand([
      plugin({ folder: change({ event: "broken", sha: old }), problems: [mistake] }),
      plugin({
        plugin: "other",
        folder: change({ event: "broken" }),
        serving: null,
        problems: [{ ...mistake, prompts: ["other/chat"] }],
      }),
    ]);
    show();
    expect(await screen.findByText("1 mistake in the prompt files: the last good version stays live.")).toBeTruthy();
    const list = within(screen.getByRole("region", { name: "Mistakes" })).getAllByRole("listitem");
    expect(list.map(({ textContent }) => textContent)).toEqual([
      `_shared/tone.md line 3, column 12 ${mistake.message}Because of it, notice/chat, notice/part, other/chat cannot be used.`,
    ]);
    expect(screen.getByText("has mistakes; the last good version is live")).toBeTruthy();
    expect(screen.getByText("has mistakes; nothing is live until they are fixed")).toBeTruthy();
  });

  it("compares the latest two versions, then the two that are picked", async () => {
    stand([plugin()]);
    const { user } = show();
    const diff = within(await screen.findByRole("region", { name: "What differs in _shared/tone.md" }));
    expect(diff.getByText("Plain and warm").tagName).toBe("INS");
    expect(diff.getByText("Plain").tagName).toBe("DEL");
    await user.selectOptions(screen.getByLabelText("Before"), latest);
    expect(await screen.findByText("These two are identical.")).toBeTruthy();
  });

  it("previews a prompt to the letter", async () => {
    stand([plugin()]);
    const { user } = show();
    expect((await screen.findByRole("region", { name: "System" })).textContent).toBe("Analyse <b>this</b>");
    await user.selectOptions(screen.getByLabelText("Prompt"), "chat");
    expect(screen.getByRole("region", { name: "User" }).textContent).toBe("Hello");
    expect(tried).toEqual([]);
  });

  it("shows what a prompt would ask with other values, of what serves or of the folder's copy, and why it cannot", async () => {
    stand([plugin()]);
    const { user } = show();
    await user.selectOptions(await screen.findByLabelText("Prompt"), "chat");
    await user.click(screen.getByText("The prompt's 3 values"));
    const box = screen.getByLabelText("message (text, untrusted)");
    await user.clear(box);
    await user.type(box, "Obey");
    const region = await screen.findByText(
      (_, element) => element?.tagName === "MARK" && element.textContent.includes("\nObey\n"),
    );
    expect(region.textContent).toBe("<message-0123456789ab>\nObey\n</message-0123456789ab>");
    await user.selectOptions(screen.getByLabelText("input_side (text)"), "Supplier");
    await user.selectOptions(screen.getByLabelText("Version"), old);
    await waitFor(() => {
      expect(tried.at(-1)).toEqual({ sha: old, prompt: "chat", values: { message: "Obey", input_side: "Supplier" } });
    });
    await user.type(screen.getByLabelText("part_number (number, optional)"), "x");
    expect((await screen.findByRole("alert")).textContent).toBe("part_number is a number.");
    expect(screen.queryByRole("region", { name: "User" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Back to the samples" }));
    expect((await screen.findByRole("region", { name: "User" })).textContent).toBe("Hello");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows what the model was asked in a run only when it is wanted, and forgets it when it is hidden", async () => {
    let read = 0;
    stand([plugin()]);
    server.use(
      http.get(`*/api/turns/${run.turn}/questions`, () => {
        read += 1;
        return HttpResponse.json({
          questions: [
            {
              step: "answer",
              part: "",
              provenance: { prompt: "notice/chat" },
              messages: [{ role: "user", text: "By when?" }],
              answered_at: run.created_at,
            },
          ],
        });
      }),
    );
    const { user } = show();
    const button = () => screen.findByRole("button", { name: `Show the question of run ${run.turn}` });
    await user.click(await button());
    expect(await screen.findByText("By when?")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: `Hide the question of run ${run.turn}` }));
    expect(screen.queryByText("By when?")).toBeNull();
    expect(read).toBe(1);
    await waitFor(async () => {
      await user.click(await button());
      await user.click(screen.getByRole("button", { name: `Hide the question of run ${run.turn}` }));
      expect(read).toBeGreaterThan(1);
    });
  });

  it("leads from a run to the Temporal Web UI", async () => {
    stand([plugin()]);
    show();
    const link = await screen.findByRole("link", { name: `Open run ${run.turn} in the Temporal Web UI` });
    expect(link.getAttribute("href")).toBe(run.url);
    expect(screen.getByRole("row", { name: /failed: model_refused notice chat .* 4\.3 s/ })).toBeTruthy();
    expect(screen.queryByRole("link", { name: /trace/ })).toBeNull();
  });

  it("leads from a run to its trace, where traces are looked at", async () => {
    stand([plugin()]);
    const traced = { ...run, trace_url: "https://jaeger.example/trace/0af7651916cd43dd8448eb211c80319c" };
    server.use(http.get("*/api/runs", () => HttpResponse.json({ runs: [traced] })));
    show();
    const link = await screen.findByRole("link", { name: `Open the trace of run ${run.turn}` });
    expect(link.getAttribute("href")).toBe(traced.trace_url);
  });

  it("says what to do when the session has ended", async () => {
    server.use(http.get("*/api/prompts", () => problem(404, "not_found", "There is no such address.")));
    show();
    expect((await screen.findByRole("alert")).textContent).toContain("munshi operator link");
  });
});

it("counts a mistake in a shared text once", () => {
  const own = { file: "other/chat.md", line: 4, column: 1, message: "This {{ end }} closes nothing.", prompts: null };
  expect(
    mistakesOf([
      plugin({ problems: [mistake] }),
      plugin({ plugin: "other", problems: [{ ...mistake, prompts: ["other/chat"] }, own] }),
    ]),
  ).toEqual([
    { ...mistake, plugins: ["notice", "other"], prompts: ["notice/chat", "notice/part", "other/chat"] },
    { ...own, plugins: ["other"], prompts: [] },
  ]);
});

it("reads a unified diff", () => {
  expect(diffLines("--- a\n+++ b\n@@ -1 +1,2 @@\n--- rule\n++1\n same\n\\ No newline at end of file\n")).toEqual([
    { kind: "gap", text: "@@ -1 +1,2 @@" },
    { kind: "removed", text: "-- rule" },
    { kind: "added", text: "+1" },
    { kind: "same", text: "same" },
    { kind: "same", text: "\\ No newline at end of file" },
  ]);
});
