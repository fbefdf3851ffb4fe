import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { conversation, detail, message, noticePlugin, problem, server, turn } from "@test/server";
import type { Check, Document, Plugin } from "@/lib/api";
import { SummariesPage } from "./SummariesPage";
import { SummaryPage } from "./SummaryPage";

const plugin: Plugin = {
  ...noticePlugin,
  id: "summary",
  title: "Document Summarizer",
  view: { heading: "Summarize a Document", hint: "", button: "", placeholder: "Ask about this document...", note: "" },
  turns: [
    { kind: "analysis", title: "Summary", inputs: ["document"] },
    { kind: "chat", title: "Question", inputs: [] },
  ],
};

const pdf = (name = "lease.pdf") => new File(["%PDF-1.7"], name, { type: "application/pdf" });

async function home() {
  server.use(
    http.get("*/api/conversations", () => HttpResponse.json({ conversations: [], more: false })),
    http.post("*/api/conversations", () =>
      HttpResponse.json({ ...conversation, plugin: "summary", turn_state: "none" }, { status: 201 }),
    ),
    http.get("*/api/conversations/:id", () => HttpResponse.json(detail())),
  );
  const view = renderRoutes(
    [
      { path: "/", element: <SummariesPage plugin={plugin} /> },
      { path: "/app/summary/:id", element: <p>the summary</p> },
    ],
    "/",
  );
  await screen.findByRole("heading", { name: "Summarize a Document" });
  return view;
}

describe("the way to bring a document", () => {
  it("says what the spec says, and opens the summary once the file was taken", async () => {
    const { user, router } = await home();
    expect(screen.getByText("Supported formats: PDF, JPEG, PNG, WebP, HEIC")).toBeTruthy();
    let take: () => void = () => undefined;
    server.use(
      http.post("*/api/conversations/:id/documents", async () => {
        await new Promise<void>((resolve) => (take = resolve));
        return HttpResponse.json(turn(), { status: 202 });
      }),
    );
    await user.upload(screen.getByTestId("file-input"), pdf());
    expect(await screen.findByText("Processing document...")).toBeTruthy();
    expect(screen.getByTestId("file-input")).toHaveProperty("disabled", true);
    await waitFor(() => {
      take();
      expect(router.state.location.pathname).toBe(`/app/summary/${conversation.id}`);
    });
  });

  it("refuses what is no PDF without asking the server", async () => {
    const { user } = await home();
    await user.upload(screen.getByTestId("file-input"), new File(["x"], "lease.docx", { type: "application/msword" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Please upload a PDF, JPEG, PNG, WebP or HEIC file");
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  });

  it("keeps the file of what failed, and sends it again under the same key", async () => {
    const { user } = await home();
    const keys: (string | null)[] = [];
    server.use(
      http.post("*/api/conversations/:id/documents", ({ request }) => {
        keys.push(request.headers.get("Idempotency-Key"));
        return keys.length === 1
          ? new HttpResponse("<html>", { status: 502 })
          : HttpResponse.json(turn(), { status: 202 });
      }),
    );
    fireEvent.paste(document.body, { clipboardData: { files: [pdf("deed.pdf")], getData: () => "" } });
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to process the document. Please try again.");
    expect(screen.getByText(/deed\.pdf/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByText("the summary");
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it("shows the server's sentence", async () => {
    const { user } = await home();
    server.use(
      http.post("*/api/conversations/:id/documents", () =>
        problem(422, "encrypted", "This PDF is protected by a password."),
      ),
    );
    await user.upload(screen.getByTestId("file-input"), pdf());
    expect((await screen.findByRole("alert")).textContent).toBe("This PDF is protected by a password.");
  });
});

const lease: Document = {
  id: "33333333-3333-4333-8333-333333333333",
  name: "lease.pdf",
  type: "",
  bytes: 1000,
  pages: 3,
  pages_read: 3,
  recognised: 0,
  damaged: false,
  created_at: conversation.created_at,
};

const text = "## TL;DR\n\nRent of ₹45,000 (page 1) from 15 April 2099; deposit ₹9,999, ends 31 March 2020.";
const figure = (quote: string, over: Partial<Check>): Check => ({
  code: "figure",
  quote,
  message: "",
  start: text.indexOf(quote),
  end: text.indexOf(quote) + quote.length,
  ...over,
});
const answer = message({
  text,
  checks: [
    figure("₹45,000", { verdict: "in_document", page: 1, words: "Rs.45,000/-" }),
    figure("15 April 2099", {
      verdict: "other_page",
      page: 2,
      words: "15/04/2099",
      message: "It stands on page 2, not on page 1.",
    }),
    figure("₹9,999", { verdict: "not_in_document", message: "The program did not find this." }),
    figure("31 March 2020", { verdict: "in_document", page: 3, words: "31-03-20" }),
  ],
});

async function summary() {
  server.use(
    http.get("*/api/conversations/:id", () =>
      HttpResponse.json(
        detail({
          plugin: "summary",
          title: "lease.pdf",
          documents: [lease],
          messages: [message({ role: "user", text: "Summarize this document.", document_id: lease.id }), answer],
          turn: turn({ state: "answered" }),
        }),
      ),
    ),
    http.get("*/api/conversations/:id/messages/:message/dates", () =>
      HttpResponse.json({
        dates: [
          { number: 1, date: "2020-03-31", what: "Ends", page: 3 },
          { number: 2, date: "2099-04-15", what: "Deposit", page: 1 },
        ],
      }),
    ),
  );
  const view = renderRoutes([{ path: "/", element: <SummaryPage plugin={plugin} id={conversation.id} /> }], "/");
  await screen.findByRole("heading", { name: "TL;DR" });
  return view;
}

describe("a summary", () => {
  it("leads from its figures to the pages where they stand, and says quietly which are not there", async () => {
    await summary();
    const link = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(link("₹45,000")).toBe("/?page=1#mark=Rs.45%2C000%2F-");
    expect(link("15 April 2099")).toBe("/?page=2#mark=15%2F04%2F2099");
    expect(screen.getByRole("button", { name: "15 April 2099: on page 2" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "₹9,999" })).toBeNull();
    expect(screen.getByRole("button", { name: "₹9,999: not found in the document" })).toBeTruthy();
    const found = await screen.findByRole("region", { name: "Checked by the program" });
    expect(found.textContent).toBe(
      "2 dates and amounts found in the document, 1 found on a different page, 1 not found in the document.",
    );
  });

  it("has its dates picked for the calendar, those to come at first", async () => {
    const { user } = await summary();
    const dates = within(await screen.findByRole("group", { name: "Dates for your calendar" }));
    const add = () => dates.getByRole("link", { name: /to the calendar/ });
    const base = `/api/conversations/${conversation.id}/messages/${answer.id}/dates.ics?pick=`;
    expect(add().textContent).toBe("Add 1 date to the calendar");
    expect(add().getAttribute("href")).toBe(`${base}2&language=en`);
    expect(dates.getByText(/passed/)).toBeTruthy();
    expect(dates.getByRole("link", { name: "page 2" }).getAttribute("href")).toBe("/?page=2#mark=15%2F04%2F2099"); // where it is, not where the table says
    await user.click(dates.getByRole("checkbox", { name: /Ends/ }));
    expect(add().getAttribute("href")).toBe(`${base}1,2&language=en`);
    await user.click(dates.getByRole("button", { name: "Clear the selection" }));
    expect(dates.getByRole("button", { name: "Add 0 dates to the calendar" })).toHaveProperty("disabled", true);
  });

  it("goes to Word, and leads to the next document", async () => {
    await summary();
    expect(screen.getByRole("link", { name: "Download as Word" }).getAttribute("href")).toBe(
      `/api/conversations/${conversation.id}/messages/${answer.id}/word`,
    );
    expect(screen.getByRole("link", { name: "Summarize Another Document" }).getAttribute("href")).toBe("/app/summary");
    expect(screen.getByPlaceholderText("Ask about this document...")).toBeTruthy();
  });

  it("says what it does while the document is processed", async () => {
    const steps = [
      {
        id: "summarise",
        kind: "prompt",
        title: "Summarizing",
        state: "running" as const,
        note: "Reading part 3 of 9",
        done: 2,
        total: 9,
      },
    ];
    server.use(
      http.get("*/api/conversations/:id", () =>
        HttpResponse.json(detail({ plugin: "summary", documents: [lease], turn: turn({ steps }) })),
      ),
    );
    renderRoutes([{ path: "/", element: <SummaryPage plugin={plugin} id={conversation.id} /> }], "/");
    expect(await screen.findByText("Processing document...")).toBeTruthy();
    expect(screen.getByText("Reading part 3 of 9")).toBeTruthy();
    expect(screen.getByRole("progressbar", { name: "Summarizing" })).toBeTruthy();
  });
});
