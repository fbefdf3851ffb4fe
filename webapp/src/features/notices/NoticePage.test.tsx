import { act, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { FakeEventSource } from "@test/events";
import { renderRoutes } from "@test/render";
import { conversation, detail, message, problem, server, turn } from "@test/server";
import type { ConversationDetail } from "@/lib/api";
import { NoticePage } from "./NoticePage";

const document = {
  id: "33333333-3333-4333-8333-333333333333",
  name: "notice.pdf",
  type: "",
  bytes: 7000,
  pages: 2,
  pages_read: 2,
  recognised: 0,
  damaged: false,
  created_at: conversation.created_at,
};
const uploaded = message({
  role: "user",
  text: "I have uploaded a GST Show Cause Notice for analysis...",
  document_id: document.id,
});
const apology = "I apologize, but I encountered an error while analyzing the notice. Please try again.";

/** The store, as far as this screen sees it; a test changes what it holds. */
function show(first: ConversationDetail) {
  const store = { detail: first };
  server.use(http.get("*/api/conversations/:id", () => HttpResponse.json(store.detail)));
  const view = renderRoutes([{ path: "/app/notices/:id", element: <NoticePage /> }], `/app/notices/${conversation.id}`);
  return { ...view, store };
}

const event = (name: string, data: unknown) => {
  act(() => {
    FakeEventSource.latest().send(name, data);
  });
};

describe("a notice", () => {
  it("shows its steps, then the text as it is written, then the answer in the log", async () => {
    const running = turn({
      steps: [
        {
          id: "extract",
          kind: "extract",
          title: "Reading the notice",
          state: "running",
          note: "Reading page 7 of 12 by text recognition",
          done: 6,
          total: 12,
        },
        { id: "prompt", kind: "prompt", title: "Analysing", state: "pending", note: "", done: 0, total: 0 },
      ],
    });
    const { store } = show(detail({ messages: [uploaded], documents: [document], turn: running }));
    expect(await screen.findByText("Reading page 7 of 12 by text recognition")).toBeTruthy();
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("6");

    event("snapshot", { turn: running, text: "" });
    event("text", { turn_id: running.id, text: "This is a **show cause** notice" });
    expect((await screen.findByText("show cause")).tagName).toBe("STRONG");
    const log = screen.getByRole("log");
    expect(within(log).queryByText("show cause")).toBeNull(); // read out once, when it is complete

    const answer = message({
      text: "This is a **show cause** notice.",
      provenance: {
        prompt: "notice/analyse",
        prompt_sha: "a",
        model: "offline",
        input_tokens: 0,
        output_tokens: 0,
        milliseconds: 5,
      },
    });
    const answered = turn({ state: "answered" });
    store.detail = detail({ messages: [uploaded, answer], documents: [document], turn: answered });
    event("turn", { turn: answered });
    expect(await within(log).findByText("show cause")).toBeTruthy();
    expect(screen.getAllByText("show cause")).toHaveLength(1);
    expect(screen.getByText("Written by the offline engine, no language model")).toBeTruthy();
    expect(screen.getByRole("link", { name: /notice\.pdf/ }).getAttribute("href")).toBe(
      `/api/documents/${document.id}`,
    );
  });

  it("tells the place in the queue", async () => {
    show(detail({ messages: [uploaded], turn: turn({ state: "queued", queue: 3 }) }));
    expect(await screen.findByText("In the queue: 3 before you")).toBeTruthy();
  });

  it("stops on Escape", async () => {
    let stopped = 0;
    server.use(
      http.post("*/api/turns/:id/stop", () => {
        stopped += 1;
        return HttpResponse.json(turn(), { status: 202 });
      }),
    );
    const { user } = show(detail({ messages: [uploaded], turn: turn() }));
    const stop = await screen.findByRole("button", { name: "Stop" });
    expect(stop.closest("[aria-disabled]")).toBeNull();
    await user.keyboard("{Escape}");
    await waitFor(() => {
      expect(stopped).toBe(1);
    });
  });

  it("says what failed and retries; the apology gives way to the new attempt", async () => {
    const failed = turn({
      state: "failed",
      error: { code: "model_timeout", sentence: "The language model did not answer in time." },
      steps: [{ id: "prompt", kind: "prompt", title: "Analysing", state: "failed", note: "", done: 0, total: 0 }],
    });
    const { user, store } = show(
      detail({ messages: [uploaded, message({ text: apology, state: "failed" })], turn: failed }),
    );
    expect(await screen.findByText(apology)).toBeTruthy();
    expect(screen.getByText(/The step “Analysing” failed\. The language model did not answer in time\./)).toBeTruthy();

    const again = turn({ state: "queued" });
    server.use(
      http.post("*/api/turns/:id/retry", () => {
        store.detail = { ...store.detail, turn: again };
        return HttpResponse.json(again, { status: 202 });
      }),
    );
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(() => {
      expect(screen.queryByText(apology)).toBeNull();
    });
    expect(screen.getByTestId("live-turn")).toBeTruthy();
    expect(FakeEventSource.opened).toHaveLength(1);
  });

  it("keeps a message that could not be sent and says why", async () => {
    server.use(
      http.post("*/api/conversations/:id/messages", () =>
        problem(409, "turn_in_progress", "A reply is still being written."),
      ),
    );
    const { user } = show(
      detail({ messages: [uploaded, message({ text: "Done." })], turn: turn({ state: "answered" }) }),
    );
    const box = await screen.findByPlaceholderText<HTMLTextAreaElement>("Type your message...");
    await user.type(box, "And the penalty?{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("A reply is still being written.");
    expect(box.value).toBe("And the penalty?");
  });

  it("shows the required documents under the answer that asked, and opens the upload for the one that is picked", async () => {
    let type: FormDataEntryValue | null = null;
    server.use(
      http.post("*/api/conversations/:id/documents", async ({ request }) => {
        type = /name="type"\r\n\r\n([^\r]*)/.exec(await request.text())?.[1] ?? null;
        return HttpResponse.json(turn({ kind: "document", state: "answered" }), { status: 202 });
      }),
    );
    const { user } = show(
      detail({
        messages: [
          uploaded,
          message({ text: "Required Document(s):\n- Purchase register: to compare" }),
          message({ text: "A later answer." }),
        ],
        documents: [document],
        required_documents: [
          {
            type: "Purchase register",
            name: "Purchase register: to compare", // there may be another one
            reason: "to compare",
            state: "needed",
            document_id: null,
          },
          { type: "GSTR-2B", name: "GSTR-2B", reason: "", state: "reviewed", document_id: document.id },
        ],
        turn: turn({ state: "answered" }),
      }),
    );
    const block = within(await screen.findByRole("region", { name: "Required Documents" }));
    expect(block.getByText("1 of 2 received")).toBeTruthy();
    const later = await screen.findByText("A later answer.");
    expect(
      screen.getByRole("region", { name: "Required Documents" }).compareDocumentPosition(later) &
        Node.DOCUMENT_POSITION_FOLLOWING,
    ).toBeTruthy();

    await user.click(block.getByRole("button", { name: "Purchase register" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Upload document" }));
    expect(dialog.getByRole<HTMLSelectElement>("combobox").value).toBe("Purchase register: to compare");
    await user.upload(
      dialog.getByTestId("file-input"),
      new File(["%PDF-"], "register.pdf", { type: "application/pdf" }),
    );
    await waitFor(() => {
      expect(type).toBe("Purchase register: to compare");
      expect(screen.queryByRole("dialog")).toBeNull();
    });
  });

  it("without a paper yet takes the first of several as its own, and begins a conversation for each other one", async () => {
    const sentTo: unknown[] = [];
    const other = "77777777-7777-4777-8777-777777777777";
    server.use(
      http.post("*/api/conversations", () => HttpResponse.json({ ...conversation, id: other }, { status: 201 })),
      http.post("*/api/conversations/:id/documents", ({ params }) => {
        sentTo.push(params.id);
        return HttpResponse.json(turn({ kind: "document", state: "answered" }), { status: 202 });
      }),
    );
    const { user } = show(detail({ messages: [], documents: [], turn: null }));
    await user.click((await screen.findAllByRole("button", { name: /upload/i }))[0] ?? window.document.body);
    const dialog = within(await screen.findByRole("dialog"));
    const papers = ["one.pdf", "two.pdf"].map((name) => new File(["%PDF-"], name, { type: "application/pdf" }));
    await user.upload(dialog.getByTestId("file-input"), papers);
    await waitFor(() => {
      expect(sentTo.toSorted()).toEqual([conversation.id, other].toSorted());
    });
  });

  it("waits for documents until the person waits no longer", async () => {
    const waiting = detail({
      messages: [uploaded, message({ text: "Required Document(s):\n- Purchase register: to compare" })],
      documents: [document],
      required_documents: [
        {
          type: "Purchase register",
          name: "Purchase register",
          reason: "to compare",
          state: "needed",
          document_id: null,
        },
      ],
      follow_up: { state: "waiting", opened_at: "2026-11-20T10:00:00Z", ended_at: null },
      turn: turn({ state: "answered" }),
    });
    server.use(
      http.post("*/api/conversations/:id/follow-up/close", () =>
        HttpResponse.json({
          ...waiting,
          follow_up: { state: "closed", opened_at: "2026-11-20T10:00:00Z", ended_at: null },
        }),
      ),
    );
    const { user } = show(waiting);
    const block = within(await screen.findByRole("region", { name: "Required Documents" }));
    expect(block.getByText("Waiting for these documents")).toBeTruthy();
    await user.click(block.getByRole("button", { name: "Stop waiting for documents" }));
    expect(await block.findByText("You closed this request")).toBeTruthy();
    expect(block.queryByRole("button", { name: "Stop waiting for documents" })).toBeNull();
  });

  it("shows what the program read from the notice", async () => {
    show(
      detail({
        messages: [uploaded],
        documents: [document],
        facts: {
          form: "DRC-01",
          demand: {
            rows: [{ head: "IGST", tax: 1_245_000, interest: 0, penalty: 0, fee: 0, other: 0 }],
            total: 1_245_000,
          },
          reply_due: { date: "2025-05-12", source: "computed", basis: "30 days from service" },
        },
        turn: turn({ state: "answered" }),
      }),
    );
    const brief = within(await screen.findByRole("complementary", { name: "What the notice says" }));
    expect(brief.getByText("Form DRC-01")).toBeTruthy();
    expect(brief.getAllByText("₹12,45,000")).toHaveLength(2);
    expect(brief.getByText("12 May 2025")).toBeTruthy();
    expect(brief.getByText("Computed: 30 days from service")).toBeTruthy();
    expect(brief.getByText(/passed \d+ days ago/)).toBeTruthy();
  });

  it("says that a notice is not here", async () => {
    server.use(
      http.get("*/api/conversations/:id", () =>
        problem(404, "not_found", "This could not be found, or it is not yours."),
      ),
    );
    renderRoutes([{ path: "/app/notices/:id", element: <NoticePage /> }], `/app/notices/${conversation.id}`);
    expect(await screen.findByRole("heading", { name: "This notice could not be found" })).toBeTruthy();
  });
});
