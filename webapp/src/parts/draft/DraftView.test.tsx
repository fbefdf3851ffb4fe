import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import type { Editor } from "@tiptap/core";
import { useQuery } from "@tanstack/react-query";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { renderElement } from "@test/render";
import { problem, server } from "@test/server";
import { draftOptions, type Draft, type DraftPart } from "@/lib/api";
import { withFootnotes } from "@/parts/conversation/footnotes";
import { DraftView } from "./DraftView";
import { marksOf, openOf, textOf } from "./text";

const at = "2025-05-12T10:00:00Z";
const id = "44444444-4444-4444-8444-444444444444";

function part(over: Partial<DraftPart>): DraftPart {
  return { id: "prayer", title: "Prayer", point: "", text: "", by: "program", revision: 0, checks: [], ...over };
}

function draft(parts: DraftPart[], over: Partial<Draft> = {}): Draft {
  return {
    id,
    kind: "reply",
    title: "Reply to show cause notice",
    beginning: "",
    conversation_id: null,
    version: 1,
    state: "",
    review: null,
    locked: false,
    acts: [],
    created_at: at,
    updated_at: at,
    parts,
    ...over,
  };
}

const unknown = {
  code: "provision",
  verdict: "unknown" as const,
  message: "There is no section 999.",
  quote: "section 999",
  start: 4,
  end: 15,
  act: "CGST Act",
  provision: "section 999",
  heading: "",
};
const facts = part({ id: "facts", title: "A. Brief facts", text: "Of […], in [… place].", by: "model" });
const grounds = part({ id: "grounds", title: "", text: "See section 999.", checks: [unknown] });

/** The server's copy of the draft, which a test changes, and the requests that it received. */
function serve(first: Draft, replyBy: string | null = null) {
  const store = { draft: first, sent: [] as unknown[] };
  server.use(
    http.get(`*/api/drafts/${id}`, () => HttpResponse.json(store.draft)),
    http.post(`*/api/drafts/${id}`, async ({ request }) => {
      const body = (await request.json()) as { title?: string; part?: string; text?: string; revision?: number };
      store.sent.push(body);
      const found = store.draft.parts?.find((one) => one.id === body.part);
      if (found !== undefined && found.revision !== (body.revision ?? 0))
        return problem(409, "draft_changed", "These words were changed elsewhere.");
      store.draft = {
        ...store.draft,
        title: body.title ?? store.draft.title,
        parts: (store.draft.parts ?? []).map((one) =>
          one === found
            ? { ...one, text: body.text ?? one.text, by: "person" as const, revision: one.revision + 1 }
            : one,
        ),
      };
      return HttpResponse.json(store.draft);
    }),
  );
  const view = renderElement(<Shown replyBy={replyBy} />);
  return { store, ...view };
}

function Shown({ replyBy }: { replyBy: string | null }) {
  const { data } = useQuery(draftOptions(id));
  return data === undefined ? null : <DraftView draft={data} replyBy={replyBy} />;
}

/** Unsaved words of a part, as a reload restores them. */
function typed(partId: string, text: string, revision: number) {
  sessionStorage.setItem(`munshi.words.${id}.${partId}`, JSON.stringify({ text, revision }));
}

test("a draft is one text under its headings, without what is empty", () => {
  expect(textOf(draft([facts, part({ text: "  " }), grounds]))).toBe(
    "## A. Brief facts\n\nOf […], in [… place].\n\nSee section 999.",
  );
  expect(openOf(draft([facts, grounds]))).toEqual({ blanks: 2, unverified: 1 });
});

test("what was found in a draft has its place in the whole text", () => {
  const year = { ...unknown, code: "fact", quote: "2019-20", start: 9, end: 16 };
  const parts = [
    part({ id: "grounds", title: "", text: "\n  See section 999.\n", checks: [{ ...unknown, start: 7, end: 18 }] }),
    part({ id: "empty", title: "Nothing", text: "  " }),
    part({ id: "facts", title: "A. Brief facts", text: "The year 2019-20 is over.", checks: [year] }),
  ];
  const whole = draft(parts);
  const text = textOf(whole);
  const marks = marksOf(whole);
  expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(["section 999", "2019-20"]);
  expect(marks.map(({ index }) => index)).toEqual([0, 1]);
  const notes = marks.map(({ end, quote }) => ({ end, note: quote }));
  expect(withFootnotes(text, notes, "Marked")).toBe(
    "See section 999[1].\n\n## A. Brief facts\n\nThe year 2019-20[2] is over.\n\nMarked\n[1] section 999\n[2] 2019-20\n",
  );
});

describe("a draft", () => {
  it("says who wrote each part, and what is open in it", async () => {
    serve(draft([facts, grounds, part({ text: "Mine.", by: "person" })]));
    const first = within(await screen.findByRole("region", { name: "A. Brief facts" }));
    expect(first.getByText("Written by the model")).toBeTruthy();
    expect((await first.findByText("[… place]")).dataset.blank).toBe("");
    expect(within(screen.getByRole("region", { name: "Prayer" })).getByText("Your words")).toBeTruthy();
    expect(screen.getByRole("button", { name: /2 blanks/ })).toBeTruthy();
    expect(screen.getByRole("button", { name: /1 not verified/ })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "section 999: not verified: no such provision" })).toBeTruthy();
  });

  it("goes from one blank to the next, and round", async () => {
    const seen: string[] = [];
    Element.prototype.scrollIntoView = vi.fn(function (this: Element) {
      seen.push(this.textContent);
    });
    const { user } = serve(draft([facts]));
    await screen.findByText("[… place]");
    const next = screen.getByRole("button", { name: /2 blanks/ });
    for (let press = 0; press < 3; press++) await user.click(next);
    expect(seen).toEqual(["[…]", "[… place]", "[…]"]);
    expect(next.textContent).toContain("1 of 2");
  });

  it("is given a title", async () => {
    const { user, store } = serve(draft([facts]));
    await user.click(await screen.findByRole("button", { name: "Change the title" }));
    const box = screen.getByRole("textbox", { name: "Title" });
    await user.clear(box);
    await user.type(box, "My reply{Enter}");
    expect(await screen.findByRole("heading", { name: "My reply" })).toBeTruthy();
    expect(store.sent).toEqual([{ title: "My reply" }]);
  });

  it("has unsaved words again after a reload, and saves them", async () => {
    typed("prayer", "Half a sente", 3);
    const { user, store } = serve(draft([part({ text: "Was.", revision: 3 })]));
    expect(await screen.findByText("Half a sente")).toBeTruthy();
    expect(screen.getByText("Not saved yet")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Your words")).toBeTruthy();
    expect(store.sent).toEqual([{ part: "prayer", text: "Half a sente", revision: 3 }]);
    expect(sessionStorage).toHaveLength(0);
  });

  it("leaves no editor behind", async () => {
    typed("prayer", "Half a sentence", 3);
    serve(draft([part({ text: "Was.", revision: 3 })]));
    await screen.findByText("Half a sentence");
    const { editor } = screen.getByRole<HTMLElement & { editor: Editor }>("textbox", { name: "Prayer" });
    expect(editor.isDestroyed).toBe(false);
    cleanup();
    await waitFor(() => {
      expect(editor.isDestroyed).toBe(true);
    });
  });

  it("shows both texts where someone else was faster, and keeps mine when I say so", async () => {
    typed("prayer", "Mine", 3);
    const { user, store } = serve(draft([part({ text: "Theirs", revision: 4 })]));
    await user.click(await screen.findByRole("button", { name: "Save" }));
    const mine = within((await screen.findAllByRole("region", { name: "Your version" }))[0] ?? document.body);
    expect(mine.getByText("Mine")).toBeTruthy();
    expect(
      within(screen.getAllByRole("region", { name: "Current version" })[0] ?? document.body).getByText("Theirs"),
    ).toBeTruthy();
    await user.click(mine.getByRole("button", { name: "Keep mine" }));
    await waitFor(() => {
      expect(store.draft.parts?.[0]?.text).toBe("Mine");
    });
    expect(store.sent.at(-1)).toEqual({ part: "prayer", text: "Mine", revision: 4 });
  });

  it("takes theirs, and gives mine back for a while", async () => {
    typed("prayer", "Mine", 3);
    const { user } = serve(draft([part({ text: "Theirs", revision: 4 })]));
    await user.click(await screen.findByRole("button", { name: "Save" }));
    await user.click(await screen.findByRole("button", { name: "Use theirs" }));
    expect(await screen.findByText("Theirs")).toBeTruthy();
    expect(screen.queryByText("Mine")).toBeNull();
  });

  it("keeps the words where they cannot be saved", async () => {
    typed("prayer", "Mine", 0);
    const { user } = serve(draft([part({ text: "Was." })]));
    server.use(
      http.post(`*/api/drafts/${id}`, () =>
        problem(413, "draft_too_long", "This draft is too long to be kept as one. Divide it into two."),
      ),
    );
    await user.click(await screen.findByRole("button", { name: "Save" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Divide it into two");
    expect(screen.getByText("Mine")).toBeTruthy();
    expect(sessionStorage).toHaveLength(1);
  });

  it("is returned with a reason, and approved with blanks only on purpose", async () => {
    const asked: unknown[] = [];
    server.use(
      http.post(`*/api/drafts/${id}/:act`, async ({ params, request }) => {
        asked.push([params.act, await request.json()]);
        return HttpResponse.json(draft([facts], { acts: ["return", "approve"] }));
      }),
    );
    const { user } = serve(draft([facts], { acts: ["return", "approve"] }));
    await user.click(await screen.findByRole("button", { name: "Approve" }));
    expect(await screen.findByText("There are still 2 blanks in this draft.", { exact: false })).toBeTruthy();
    expect(asked).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Approve anyway" }));
    await waitFor(() => {
      expect(asked).toEqual([["approve", { read: at }]]);
    });
    await user.click(await screen.findByRole("button", { name: "Return to the preparer" }));
    const dialog = within(await screen.findByRole("dialog"));
    const button = dialog.getByRole<HTMLButtonElement>("button", { name: "Return it" });
    expect(button.disabled).toBe(true);
    await user.type(dialog.getByRole("textbox"), "Say more.");
    await user.click(button);
    await waitFor(() => {
      expect(asked.at(-1)).toEqual(["return", { reason: "Say more." }]);
    });
  });

  it("says before it goes out what is open", async () => {
    const { user } = serve(draft([facts, grounds]));
    await user.click(await screen.findByRole("button", { name: "Export" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Before you send it" }));
    expect(dialog.getByText("2 blanks to fill in")).toBeTruthy();
    expect(dialog.getByText("There is no section 999.", { exact: false })).toBeTruthy();
    expect(dialog.getByRole("link", { name: "Download as Word" }).getAttribute("href")).toBe(`/api/drafts/${id}/word`);
    expect(dialog.queryByText("The last day to reply", { exact: false })).toBeNull();
  });

  it("prints a draft once the dialog is away", async () => {
    const print = vi.spyOn(window, "print").mockImplementation(() => undefined);
    onTestFinished(() => {
      print.mockRestore();
    });
    const { user } = serve(draft([facts]));
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await user.click(await screen.findByRole("button", { name: "Print or save as PDF" }));
    await waitFor(() => {
      expect(print).toHaveBeenCalledOnce();
    });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("shows a blank as it reads, not as it is written in Markdown", async () => {
    const { user } = serve(draft([part({ text: "[To be confirmed: the points marked \\* need a fact]" })]));
    await user.click(await screen.findByRole("button", { name: "Export" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Before you send it" }));
    expect(dialog.getByText("[To be confirmed: the points marked * need a fact]")).toBeTruthy();
  });

  it.each([
    ["2025-01-06", "2025-01-06T23:00:00+05:30", null],
    ["2025-01-06", "2025-01-07T00:30:00+05:30", "The last day to reply was 6 January 2025, yesterday."],
    ["2025-01-06", "2025-01-12T12:00:00+05:30", "The last day to reply was 6 January 2025, 6 days ago."],
  ])("says before it goes out that its day, %s, has passed at %s", async (replyBy, now, says) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { user } = serve(draft([grounds]), replyBy);
    await user.click(await screen.findByRole("button", { name: "Export" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Before you send it" }));
    expect(dialog.queryByText("The last day to reply", { exact: false })?.textContent ?? null).toBe(says);
  });
});
