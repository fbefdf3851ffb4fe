import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { me, server } from "@test/server";
import type { Acting, BoardDay } from "@/lib/api";
import { BoardPage } from "./BoardPage";

const id = (n: number) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`;

const acting: Acting = {
  id: id(7),
  name: "Rao & Co",
  called: "Asha",
  member: id(8),
  role: "preparer",
  rights: ["work"],
};

const reply: BoardDay = {
  part: "coming",
  what: "reply",
  day: "2099-12-10",
  time: "",
  venue: "",
  paper: id(1),
  task: null,
  listed: null,
  text: "",
  form: "DRC-01",
  reference: null,
  gstin: "27ZAPCS4821K1Z6",
  officer: "Pune-4",
  matter: id(2),
  title: "",
  forms: ["DRC-01"],
  first_year: "2020-21",
  last_year: "2020-21",
  stage: "notice",
  state: "drafting",
  demand_paise: 50_000_000,
  client: { id: id(3), name: "Kaveri Textiles" },
  assignee: null,
};

const all: BoardDay[] = [
  { ...reply, part: "overdue", day: "2020-01-01", paper: id(4), client: { id: id(5), name: "Late Stores" } },
  { ...reply, part: "undated", day: null, paper: id(6), client: { id: id(7), name: "Open Mills" } },
  reply,
  { ...reply, what: "hearing", time: "11:30", venue: "Room 4", assignee: { id: id(8), name: "Asha Rao" } },
  { ...reply, part: "dateless", what: "task", day: null, paper: null, task: id(6), text: "Call the officer" },
];

function show(at: string, days = all) {
  const asked: string[] = [];
  const saved: unknown[] = [];
  server.use(
    http.get("*/api/board", ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const shown = searchParams.get("hearings") === "true" ? days.filter(({ what }) => what === "hearing") : days;
      const counts = { overdue: 1, undated: 1, coming: 2, dateless: 1, hearings: 1, tasks: 1 };
      return HttpResponse.json({ days: shown, ...counts, until: "2099-12-31" });
    }),
    http.get("*/api/board/choices", () =>
      HttpResponse.json({ clients: [{ id: id(3), name: "Kaveri Textiles" }], officers: ["Pune-4"], regions: ["27"] }),
    ),
    http.get("*/api/me", () => HttpResponse.json({ ...me, acting })),
    http.post("*/api/tasks/:id", async ({ params, request }) => {
      saved.push({ task: params.id, ...((await request.json()) as object) });
      return new HttpResponse(null, { status: 204 });
    }),
    http.get("*/api/firm", () => HttpResponse.json({ members: [] })),
    http.get("*/api/views", () =>
      HttpResponse.json({ views: [{ id: id(9), page: "board", name: "Maharashtra", filters: "region=27" }] }),
    ),
    http.post("*/api/views", async ({ request }) => {
      saved.push(await request.json());
      return HttpResponse.json({ views: [] }, { status: 201 });
    }),
  );
  return { ...renderRoutes([{ path: "/app/practice/board", element: <BoardPage /> }], at), asked, saved };
}

it("shows what is overdue first, then what has a date to confirm, then the days to come", async () => {
  show("/app/practice/board");
  const parts = await screen.findAllByRole("region");
  expect(parts.map((part) => part.getAttribute("aria-label"))).toEqual([
    "Overdue",
    "Date to confirm",
    "10 December 2099",
    "Tasks without a date",
  ]);
  const part = (name: string) => within(screen.getByRole("region", { name }));
  expect(part("Overdue").getByRole("link", { name: "Late Stores" })).toBeTruthy();
  expect(part("10 December 2099").getAllByRole("listitem")).toHaveLength(2);
  expect(screen.getByRole("status").textContent).toContain("1 overdue");
});

it("keeps its filters in the address, and saves them as a view", async () => {
  const { user, asked, saved } = show("/app/practice/board?stage=notice");
  await user.selectOptions(await screen.findByLabelText("State"), "27");
  await waitFor(() => {
    expect(asked.at(-1)).toContain("region=27");
  });
  expect(asked.at(-1)).toContain("stage=notice");
  await user.click(screen.getByRole("button", { name: "Save this view" }));
  await user.type(screen.getByLabelText("Name"), "Mine");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => {
    expect(saved).toEqual([{ page: "board", name: "Mine", filters: "stage=notice&region=27" }]);
  });
});

it("shows what is mine, and a task that is done is ticked off where it stands", async () => {
  const { user, asked, saved } = show("/app/practice/board?hearings=1");
  await user.click(await screen.findByRole("button", { name: "Mine" }));
  await waitFor(() => {
    expect(asked.at(-1)).toContain(`assignee=${id(8)}`);
  });
  await user.click(screen.getByText(/^Filters/));
  await user.click(screen.getByRole("checkbox", { name: "Tasks only" }));
  await waitFor(() => {
    expect(asked.at(-1)).toContain("tasks=true");
  });
  expect(asked.at(-1)).toContain("hearings=false"); // tasks and hearings exclude each other
  const last = within(await screen.findByRole("region", { name: "Tasks without a date" }));
  await user.click(last.getByRole("checkbox", { name: "Done: Call the officer" }));
  await waitFor(() => {
    expect(saved).toEqual([{ task: id(6), done: true }]);
  });
});

it("lists hearings as a cause list", async () => {
  show("/app/practice/board?hearings=1");
  const table = await screen.findByRole("table");
  expect(within(table).getAllByRole("row")).toHaveLength(2);
  expect(within(table).getByText("11:30")).toBeTruthy();
  expect(within(table).getByText("Room 4")).toBeTruthy();
  expect(within(table).getByText("Asha Rao")).toBeTruthy();
});

it("says when nothing is due", async () => {
  show("/app/practice/board", []);
  expect(await screen.findByText("Nothing is due until 31 December 2099.")).toBeTruthy();
});
