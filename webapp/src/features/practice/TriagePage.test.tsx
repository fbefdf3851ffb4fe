import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { notice, server } from "@test/server";
import type { MatterLine, Triage, TriagePaper } from "@/lib/api";
import { TriagePage } from "./TriagePage";

const id = (n: number) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`;

const matter: MatterLine = {
  id: id(5),
  client: { id: id(6), name: "Malnad Coffee" },
  title: "",
  stage: "scrutiny",
  state: "new",
  gstin: null,
  first_year: "2020-21",
  last_year: "2020-21",
  issues: [],
  forms: ["ASMT-10"],
  officer: null,
  demand_paise: null,
  next_on: null,
  next_what: null,
  next_paper: null,
  open_date: false,
  comments: 0,
  tasks: 0,
  count: 1,
  assignee: null,
  reviewer: null,
  closed: false,
  updated_at: "2025-05-12T10:00:00Z",
};

function paper(over: Partial<TriagePaper>): TriagePaper {
  const filing = { matter, settled: true, client: null, name: "Malnad Coffee", candidates: [], duplicate: null };
  return { ...notice({ client: "Malnad Coffee" }), filing, from: "Asha Rao", ...over };
}

function show(triage: Partial<Triage>) {
  const sent: { path: string; body: unknown }[] = [];
  const note = async ({ request }: { request: Request }) => {
    const text = await request.text();
    sent.push({ path: new URL(request.url).pathname, body: text === "" ? null : JSON.parse(text) });
    return HttpResponse.json({});
  };
  server.use(
    http.get("*/api/triage", () =>
      HttpResponse.json({ batches: [], files: [], papers: [], total: 0, held: 0, ...triage }),
    ),
    http.get("*/api/firm", () => HttpResponse.json({ members: [] })),
    http.post("*/api/conversations/:id/filing/seen", note),
    http.post("*/api/conversations/:id/filing", note),
    http.post("*/api/triage/aside", note),
    http.post("*/api/batches", () =>
      HttpResponse.json({
        id: id(9),
        by: "",
        files: 0,
        reading: 0,
        refused: 0,
        repeated: 0,
        created_at: matter.updated_at,
      }),
    ),
  );
  return { ...renderRoutes([{ path: "/app/practice", element: <TriagePage /> }], "/app/practice"), sent };
}

it("accepts what is settled, and puts what is not where a person says", async () => {
  const why = [{ en: "This document mentions the number of your ASMT-10." }];
  const { user, sent } = show({
    papers: [
      paper({ id: id(1) }),
      paper({
        id: id(2),
        client: "Someone",
        filing: {
          matter: null,
          settled: false,
          client: null,
          name: "Someone",
          candidates: [{ matter, why, sure: false }],
          duplicate: { paper: id(1), title: "ASMT-10", why: { en: "The same file was uploaded before." } },
        },
      }),
    ],
    total: 2,
  });
  await user.click(await screen.findByRole("button", { name: "Accept: Malnad Coffee" }));
  await waitFor(() => {
    expect(sent).toEqual([{ path: `/api/conversations/${id(1)}/filing/seen`, body: null }]);
  });
  expect(screen.getByText("This document mentions the number of your ASMT-10.")).toBeTruthy();
  expect(screen.getByText("The same file was uploaded before.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Add Someone there" }));
  await waitFor(() => {
    expect(sent.at(-1)).toEqual({ path: `/api/conversations/${id(2)}/filing`, body: { matter: matter.id } });
  });
});

it("says why a file was not taken, and removes it from the list", async () => {
  const { user, sent } = show({
    files: [
      {
        id: id(3),
        name: "a.docx",
        problem: { code: "not_pdf", said: { en: "Upload a PDF." } },
        repeats: null,
        turn: null,
      },
    ],
  });
  const files = within(await screen.findByRole("region", { name: "Not accepted" }));
  expect(files.getByText("Upload a PDF.")).toBeTruthy();
  await user.click(files.getByRole("button", { name: "Remove a.docx from the list" }));
  await waitFor(() => {
    expect(sent).toEqual([{ path: "/api/triage/aside", body: { files: [id(3)] } }]);
  });
});

it("shows the first ten files that were not taken, and all when asked", async () => {
  const { user } = show({
    files: Array.from({ length: 12 }, (_, n) => ({
      id: id(100 + n),
      name: `f${String(n)}.txt`,
      problem: { code: "not_pdf", said: { en: "Upload a PDF." } },
      repeats: null,
      turn: null,
    })),
    held: 1,
  });
  const files = within(await screen.findByRole("region", { name: "Not accepted" }));
  expect(files.getAllByRole("listitem")).toHaveLength(10);
  await user.click(files.getByRole("button", { name: "Show all 12 files" }));
  expect(files.getAllByRole("listitem")).toHaveLength(12);
  expect(screen.getByText("1 e-mail is in quarantine.")).toBeTruthy();
});

it("asks whether several photographs are one document", async () => {
  const { user } = show({});
  await screen.findByText("Nothing new to look at.");
  const photographs = [1, 2].map((n) => new File(["x"], `${String(n)}.jpg`, { type: "image/jpeg" }));
  await user.upload(screen.getByTestId("intake-input"), photographs);
  expect(await screen.findByText("Are these 2 photographs one document?")).toBeTruthy();
  expect(screen.getByRole("button", { name: "One document of 2 pages" })).toBeTruthy();
});

it("asks so too of photographs that come with PDFs or in a second drop, and uploads the PDFs", async () => {
  const { user } = show({});
  let uploads = 0;
  server.use(
    http.post("*/api/batches/:id/files", () => {
      uploads += 1;
      return new HttpResponse(null, { status: 202 });
    }),
  );
  await screen.findByText("Nothing new to look at.");
  const photograph = (name: string) => new File(["x"], name, { type: "image/jpeg" });
  const pdf = new File(["x"], "a.pdf", { type: "application/pdf" });
  await user.upload(screen.getByTestId("intake-input"), [photograph("1.jpg"), pdf, photograph("2.jpg")]);
  expect(await screen.findByText("Are these 2 photographs one document?")).toBeTruthy();
  await waitFor(() => {
    expect(uploads).toBe(1);
  });
  await user.upload(screen.getByTestId("intake-input"), [photograph("3.jpg")]);
  expect(await screen.findByText("Are these 3 photographs one document?")).toBeTruthy();
});
