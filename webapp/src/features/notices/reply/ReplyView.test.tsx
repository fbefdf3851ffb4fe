import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it, test } from "vitest";
import { renderElement } from "@test/render";
import { conversation, detail, problem, server, turn } from "@test/server";
import type { InterviewQuestion, Reply, ReplyPoint, Turn } from "@/lib/api";
import type { ConversationView } from "@/parts/conversation";
import { beginning } from "./PointRow";
import { ReplyView } from "./ReplyView";
import { without } from "./useSaying";

function point(over: Partial<ReplyPoint>): ReplyPoint {
  return {
    key: "1",
    number: "1.",
    page: 2,
    alleged: "Excess credit was claimed.",
    allegation: true,
    stance: "",
    proposed: "",
    facts: "",
    facts_proposed: false,
    documents: [],
    authorities: [],
    suggested: [],
    revision: 0,
    ...over,
  };
}

const words = `munshi.words.${conversation.id}.1`;

const form = {
  kind: "reply" as const,
  name: "FORM GST DRC-06",
  title: { en: "Reply to show cause notice" },
  sentence: { en: "" },
  provision: "rule 142(4)",
  drafted: true,
};

/** The reply after somebody has saved a response to a paragraph. */
function saying(reply: Reply, body: Partial<ReplyPoint> & { key: string }): Reply {
  return {
    ...reply,
    points: (reply.points ?? []).map((one) =>
      one.key === body.key
        ? {
            ...one,
            ...body,
            revision: one.revision + 1,
            ...(body.facts === undefined ? {} : { facts: body.facts.trim(), facts_proposed: false }),
          }
        : one,
    ),
  };
}

/** The server's copy of the reply, and its responses to paragraphs. */
function show(
  first: Omit<Reply, "reply_by" | "taxpayer" | "missing" | "sheet"> & Partial<Reply>,
  now: Turn | null = null,
  questions: InterviewQuestion[] = [],
) {
  const store = {
    reply: { reply_by: null, taxpayer: null, missing: [], sheet: [], ...first },
    said: [] as Record<string, unknown>[],
    questions,
  };
  server.use(
    http.get("*/api/conversations/:id", () => HttpResponse.json(detail({ turn: now }))),
    http.get("*/api/conversations/:id/reply", () => HttpResponse.json(store.reply)),
    http.get("*/api/conversations/:id/reply/interview", () => HttpResponse.json({ questions: store.questions })),
    http.post("*/api/conversations/:id/reply/interview", async ({ request }) => {
      const { revision, ...answer } = (await request.json()) as Pick<
        InterviewQuestion,
        "key" | "holds" | "words" | "unknown" | "revision"
      >;
      if (store.questions.find(({ key }) => key === answer.key)?.revision !== revision)
        return problem(409, "point_changed", "What is said to this paragraph was changed elsewhere.");
      store.said.push(answer);
      store.questions = store.questions.map((question) =>
        question.key === answer.key ? { ...question, ...answer, at: "2026-11-23T10:00:00Z" } : question,
      );
      return HttpResponse.json({ questions: store.questions });
    }),
    http.post("*/api/conversations/:id/reply/taxpayer", async ({ request }) => {
      const body = (await request.json()) as Record<string, string>;
      store.said.push(body);
      store.reply = { ...store.reply, taxpayer: { ...store.reply.taxpayer, ...body } as Reply["taxpayer"] };
      return HttpResponse.json(store.reply);
    }),
    http.post("*/api/conversations/:id/reply/points", async ({ request }) => {
      const { revision, ...body } = (await request.json()) as Partial<ReplyPoint> & { key: string };
      if (store.reply.points?.find(({ key }) => key === body.key)?.revision !== revision)
        return problem(409, "point_changed", "What is said to this paragraph was changed elsewhere.");
      store.said.push(body);
      store.reply = saying(store.reply, body);
      return HttpResponse.json(store.reply);
    }),
  );
  const view = {
    turn: now,
    working: now?.state === "running",
    accept: () => Promise.resolve(),
    stop: { isPending: false },
    retry: { isPending: false },
  } as unknown as ConversationView;
  return { store, ...renderElement(<ReplyView detail={detail()} deadline="Reply by 6 January 2025" view={view} />) };
}

describe("the matrix", () => {
  it("has a row for each allegation, and folds away what is none", async () => {
    show({
      form,
      draft: null,
      points: [point({}), point({ key: "2", number: "2", alleged: "A personal hearing is fixed.", allegation: false })],
    });
    expect(await screen.findByText("FORM GST DRC-06 · rule 142(4)")).toBeTruthy();
    expect(screen.getByText("Reply by 6 January 2025")).toBeTruthy();
    expect(screen.getByRole("button", { name: "1 of 1 paragraphs not decided" })).toBeTruthy();
    expect(screen.getAllByRole("row")).toHaveLength(2); // with the heads
    expect(screen.getByText("Other paragraphs (1), no reply needed")).toBeTruthy();
  });

  it("keeps a decision at once, and says an admission plainly", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] });
    await user.click(await screen.findByRole("radio", { name: "Admit" }));
    expect(screen.getByText("You admit this.")).toBeTruthy();
    expect(await screen.findByText("Saved")).toBeTruthy();
    expect(store.said).toEqual([{ key: "1", stance: "admit" }]);
    expect(await screen.findByText("You have chosen a response for every paragraph.")).toBeTruthy();
  });

  it("shows a proposal as one until it is accepted", async () => {
    const { user, store } = show({
      form,
      draft: null,
      points: [point({ proposed: "deny", facts: "The supplier reported late.", facts_proposed: true })],
    });
    expect(await screen.findByText("Suggested: deny")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Not decided" }).checked).toBe(true);
    await user.click(screen.getByRole("button", { name: "Paragraph 1: accept “Deny”" }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Deny" }).checked).toBe(true);
    await user.click(screen.getByRole("button", { name: "Paragraph 1: keep the suggested facts" }));
    await waitFor(() => {
      expect(store.said).toEqual([
        { key: "1", stance: "deny" },
        { key: "1", facts: "The supplier reported late." },
      ]);
      expect(screen.queryByText("Suggested; not part of your reply until you keep it.")).toBeNull();
    });
  });

  it("saves what is typed by itself, and loses none of it to what the server tells meanwhile", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] });
    const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Paragraph 1: facts in response" });
    await user.type(box, "It was reversed ");
    await waitFor(() => {
      expect(store.said).toEqual([{ key: "1", facts: "It was reversed " }]);
    });
    await screen.findByText("Saved");
    await user.type(box, "in 2024.");
    expect(box.value).toBe("It was reversed in 2024."); // the server removed the space at the end
    await user.tab();
    await waitFor(() => {
      expect(store.said.at(-1)).toEqual({ key: "1", facts: "It was reversed in 2024." });
    });
  });

  it("keeps what could not be saved, over a reload too, and tries again", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] });
    const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Paragraph 1: facts in response" });
    let down = true;
    server.use(
      http.post("*/api/conversations/:id/reply/points", () =>
        down ? problem(422, "facts_too_long", "This is too long for one paragraph.") : undefined,
      ),
    );
    await user.type(box, "Words");
    await user.tab();
    expect(await screen.findByText("This is too long for one paragraph.")).toBeTruthy();
    expect(box.value).toBe("Words");
    expect(sessionStorage.getItem(words)).toBe(JSON.stringify({ text: "Words", revision: 0 }));
    down = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => {
      expect(store.said).toEqual([{ key: "1", facts: "Words" }]);
      expect(sessionStorage.getItem(words)).toBeNull();
    });
  });

  it("shows both texts where the same was said otherwise in another tab, and keeps mine when I say so", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] });
    const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Paragraph 1: facts in response" });
    await user.type(box, "Mine");
    store.reply = saying(store.reply, { key: "1", facts: "Theirs" });
    await user.tab();
    const mine = within((await screen.findAllByRole("region", { name: "Your version" }))[0] ?? document.body);
    expect(await mine.findByText("Mine")).toBeTruthy();
    expect(
      await within(screen.getAllByRole("region", { name: "Current version" })[0] ?? document.body).findByText("Theirs"),
    ).toBeTruthy();
    expect(store.said).toEqual([]);
    await user.click(mine.getByRole("button", { name: "Keep mine" }));
    await waitFor(() => {
      expect(store.said).toEqual([{ key: "1", facts: "Mine" }]);
    });
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Paragraph 1: facts in response" }).value).toBe(
      "Mine",
    );
  });

  it("takes theirs, and gives mine back for a while", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] });
    await user.type(await screen.findByRole("textbox", { name: "Paragraph 1: facts in response" }), "Mine");
    store.reply = saying(store.reply, { key: "1", facts: "Theirs", stance: "deny" });
    await user.tab();
    await user.click(await screen.findByRole("button", { name: "Use theirs" }));
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Paragraph 1: facts in response" }).value).toBe(
      "Theirs",
    );
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Deny" }).checked).toBe(true);
    expect(store.said).toEqual([]);
    expect(sessionStorage.getItem(words)).toBeNull();
  });

  it("keeps both where another tab said something else, and asks about a stance that differs", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] });
    const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Paragraph 1: facts in response" });
    await user.type(box, "Mine");
    store.reply = saying(store.reply, { key: "1", stance: "deny" });
    await user.tab();
    await waitFor(() => {
      expect(store.said).toEqual([{ key: "1", facts: "Mine" }]);
    });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Deny" }).checked).toBe(true);
    store.reply = saying(store.reply, { key: "1", stance: "explain" });
    await user.click(screen.getByRole("radio", { name: "Admit" }));
    await user.click(await screen.findByRole("button", { name: "Keep mine" }));
    await waitFor(() => {
      expect(store.said.at(-1)).toEqual({ key: "1", stance: "admit" });
    });
  });

  it("asks about words from before a reload, where they were changed since", async () => {
    sessionStorage.setItem(words, JSON.stringify({ text: "Mine", revision: 3 }));
    const { store } = show({ form, draft: null, points: [point({ facts: "Theirs", revision: 4 })] });
    expect(await screen.findByRole("button", { name: "Keep mine" })).toBeTruthy();
    expect(store.said).toEqual([]);
  });

  it("shows only what is not decided, and keeps a row that was just decided", async () => {
    const { user } = show({ form, draft: null, points: [point({}), point({ key: "2", number: "2", stance: "deny" })] });
    await user.click(await screen.findByRole("button", { name: "Not decided (1)" }));
    expect(screen.getAllByRole("row")).toHaveLength(2);
    await user.click(screen.getByRole("radio", { name: "Explain" }));
    await screen.findByText("Saved");
    expect(screen.getByText("Paragraph 1")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Not decided (0)" }));
    expect(screen.getByText("You have chosen a response for every paragraph.", { selector: "p" })).toBeTruthy();
  });

  it("takes documents that are offered or named, and lets them go", async () => {
    const { user, store } = show({ form, draft: null, points: [point({ suggested: ["Purchase register"] })] });
    await user.click(await screen.findByRole("button", { name: "Add a document" }));
    await user.click(screen.getByRole("button", { name: "Purchase register" }));
    await user.click(screen.getByRole("button", { name: "Add a document" }));
    await user.type(screen.getByRole("textbox", { name: "Another document" }), "Lorry receipt{Enter}");
    await user.click(await screen.findByRole("button", { name: "Remove: Purchase register" }));
    await waitFor(() => {
      expect(store.said.map(({ documents }) => documents)).toEqual([
        ["Purchase register"],
        ["Purchase register", "Lorry receipt"],
        ["Lorry receipt"],
      ]);
    });
  });
});

const question = (one: Partial<InterviewQuestion>): InterviewQuestion => ({
  key: "earlier",
  kind: "choice",
  text: { en: "Were there earlier papers?" },
  why: { en: "The brief facts tell of them." },
  provision: "",
  places: ["earlier papers"],
  options: [],
  quote: null,
  holds: "",
  words: [],
  unknown: false,
  by: "",
  who: "",
  at: null,
  revision: 0,
  ...one,
});

describe("the interview", () => {
  it("asks with the reason, and keeps an answer with the words for the draft", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] }, null, [question({})]);
    expect(await screen.findByText("0 of 1 answered")).toBeTruthy();
    expect(screen.getByText("The brief facts tell of them.")).toBeTruthy();
    await user.click(screen.getByRole("radio", { name: "Yes" }));
    await user.type(
      await screen.findByRole("textbox", { name: "1. Were there earlier papers? In the draft: earlier papers" }),
      "A letter of 3 May",
    );
    await user.tab();
    await waitFor(() => {
      expect(store.said.at(-1)).toEqual({
        key: "earlier",
        holds: "yes",
        words: ["A letter of 3 May"],
        unknown: false,
      });
    });
    expect(await screen.findByText("1 of 1 answered")).toBeTruthy();
  });

  it("takes that something is not known, and a later answer in its place", async () => {
    const { user, store } = show({ form, draft: null, points: [point({})] }, null, [
      question({ kind: "papers", options: ["Purchase register", "E-way bills"] }),
    ]);
    await user.click(await screen.findByRole("checkbox", { name: "Don’t know" }));
    await waitFor(() => {
      expect(store.said.at(-1)).toEqual({ key: "earlier", holds: "", words: [], unknown: true });
    });
    await user.click(await screen.findByRole("checkbox", { name: "E-way bills" }));
    await waitFor(() => {
      expect(store.said.at(-1)).toEqual({ key: "earlier", holds: "", words: ["E-way bills"], unknown: false });
    });
  });
});

it("keeps what was typed when it is not known, for when it is", async () => {
  const { user, store } = show({ form, draft: null, points: [point({})] }, null, [
    question({ key: "para:1", kind: "words", words: ["The suppliers reported in April."] }),
  ]);
  const unknown = await screen.findByRole<HTMLInputElement>("checkbox", { name: "Don’t know" });
  for (const checked of [true, false]) {
    await user.click(unknown);
    await waitFor(() => {
      expect(store.said.at(-1)).toMatchObject({ words: ["The suppliers reported in April."], unknown: checked });
    });
    expect(screen.getByRole("textbox", { name: /earlier papers/ })).toHaveProperty(
      "value",
      "The suppliers reported in April.",
    );
  }
});

describe("an answer to a paragraph that was changed elsewhere", () => {
  const asked = (over: Partial<InterviewQuestion>) =>
    question({ key: "para:1", kind: "words", words: ["As I read it."], ...over });

  async function meet(changed: Partial<InterviewQuestion>) {
    const shown = show({ form, draft: null, points: [point({})] }, null, [asked({})]);
    const box = await screen.findByRole("textbox", { name: /earlier papers/ });
    await shown.user.clear(box);
    await shown.user.type(box, "Mine");
    shown.store.questions = [asked({ revision: 1, ...changed })];
    await shown.user.tab();
    return shown;
  }

  it("is kept where something else of it was changed", async () => {
    const { store } = await meet({});
    await waitFor(() => {
      expect(store.said.at(-1)).toMatchObject({ key: "para:1", words: ["Mine"] });
    });
  });

  it("is chosen, and writes nothing over before", async () => {
    const { user, store } = await meet({ words: ["Theirs"] });
    const [now] = await screen.findAllByRole("region", { name: "Current version" });
    expect(within(now ?? document.body).getByText("Theirs")).toBeTruthy();
    expect(store.said).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Keep mine" }));
    await waitFor(() => {
      expect(store.said.at(-1)).toMatchObject({ words: ["Mine"] });
    });
  });

  it("gives way to what was said elsewhere", async () => {
    const { user, store } = await meet({ words: ["Theirs"] });
    await user.click(await screen.findByRole("button", { name: "Use theirs" }));
    expect(await screen.findByDisplayValue("Theirs")).toBeTruthy();
    expect(store.said).toEqual([]);
  });
});

it("keeps who signs for a taxpayer", async () => {
  const { user, store } = show({
    form,
    draft: null,
    points: [point({})],
    taxpayer: {
      gstin: "29AAACB1234C1ZB",
      signatory: "",
      designation: "",
      place: "Hubballi",
      representative: "",
      enrolment: "",
    },
  });
  await user.click(await screen.findByText("Who signs and who appears"));
  await user.type(screen.getByRole("textbox", { name: "Name of the signatory" }), "Asha Rao");
  await user.click(screen.getByRole("button", { name: "Save details" }));
  await waitFor(() => {
    expect(store.said).toEqual([
      { signatory: "Asha Rao", designation: "", place: "Hubballi", representative: "", enrolment: "" },
    ]);
  });
  expect(await screen.findByText("Asha Rao, Hubballi")).toBeTruthy();
});

describe("the reply", () => {
  it("says what to do where a reply is not the answer", async () => {
    show({
      form: {
        ...form,
        kind: "return",
        drafted: false,
        sentence: { en: "FORM GSTR-3A is not answered with a reply: file the return." },
      },
      draft: null,
      points: [],
    });
    expect(await screen.findByText("FORM GSTR-3A is not answered with a reply: file the return.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Draft reply" })).toBeNull();
  });

  it("drafts what is filed against an order, and says by when", async () => {
    show({
      form: {
        ...form,
        kind: "appeal",
        name: "FORM GST APL-01",
        sentence: { en: "This is an order: there is no reply to it. Appeal by 19 March 2026." },
      },
      draft: null,
      points: [],
    });
    expect(await screen.findByText(/Appeal by 19 March 2026/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Draft FORM GST APL-01" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Draft reply" })).toBeNull();
  });

  it("lists what is missing before it may go out, by what it is", async () => {
    show({
      form,
      draft: null,
      points: [point({})],
      missing: [
        { kind: "paragraph", what: { en: "Your response to paragraph 1." }, point: "1" },
        { kind: "date", what: { en: "The date on which you received it" }, point: "" },
        { kind: "paper", what: { en: "Purchase register" }, point: "" },
      ],
    });
    expect(await screen.findByText("3 things are missing before it can be sent")).toBeTruthy();
    const papers = screen.getByRole("region", { name: "Documents not uploaded", hidden: true });
    expect(within(papers).getByText("Purchase register")).toBeTruthy();
  });

  it("tells how far the drafting is", async () => {
    const steps = [
      {
        id: "propose",
        kind: "propose",
        title: "Going through the allegations",
        state: "done" as const,
        note: "",
        done: 1,
        total: 1,
      },
      {
        id: "draft",
        kind: "draft",
        title: "Drafting the reply",
        state: "running" as const,
        note: "",
        done: 12,
        total: 40,
      },
    ];
    show({ form, draft: null, points: [point({})] }, turn({ kind: "reply", steps }));
    expect(await screen.findByText("12 of 40")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Draft reply" }).getAttribute("aria-disabled")).toBe("true");
  });

  it("says what failed, with the way to go on", async () => {
    const failed = turn({
      kind: "reply",
      state: "failed",
      error: { code: "model_timeout", sentence: "The language model did not answer in time." },
      steps: [],
    });
    show({ form, draft: null, points: [point({})] }, failed);
    expect(await screen.findByText(/The language model did not answer in time/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
  });

  it("waits for the notice to be read", async () => {
    renderElement(
      <ReplyView
        detail={detail()}
        deadline={null}
        view={{ turn: null, working: false } as unknown as ConversationView}
      />,
    );
    server.use(http.get("*/api/conversations/:id", () => HttpResponse.json(detail())));
    expect(await screen.findByText("The reply is prepared here once the notice has been read.")).toBeTruthy();
  });
});

test("what a person did is let go of once it is kept, but not words that are being typed", () => {
  const mine = { stance: "deny" as const, facts: "a", documents: ["x"] };
  expect(without(mine, { facts: "a" }, false)).toEqual({ stance: "deny", documents: ["x"] });
  expect(without(mine, { facts: "a" }, true)).toEqual(mine);
  expect(without(mine, { facts: "b", stance: "admit", documents: ["x", "y"] }, false)).toEqual(mine);
  expect(without(mine, { documents: ["x"], stance: "deny" }, false)).toEqual({ facts: "a" });
});

test("an allegation is found by its first sentence", () => {
  expect(beginning("Excess claim of input tax credit in GSTR-3B. ITC claimed is higher.")).toBe(
    "Excess claim of input tax credit in GSTR-3B.",
  );
  expect(beginning("No. It is so.")).toBe("No. It is so.");
  expect(beginning(`${"word ".repeat(60)}end`)?.length).toBeLessThanOrEqual(160);
  expect(beginning("")).toBeNull();
});
