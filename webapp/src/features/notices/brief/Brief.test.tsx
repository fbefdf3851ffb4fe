import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { Toaster } from "sonner";
import type { Authority, Brief as Known, Provision } from "@/lib/api";
import { renderRoutes } from "@test/render";
import { conversation, detail, problem, server, hold } from "@test/server";
import { Brief } from "./Brief";
import { readFacts } from "./facts";

const facts = {
  form: "DRC-01",
  reference: "ZD290524004411A",
  issue_date: "2024-05-13",
  gstin: "29AAACB1234C1ZB",
  gstin_valid: true,
  legal_name: "MALNAD COFFEE",
  ocr_pages: [1],
  demand: { rows: [{ head: "IGST", tax: 100, interest: 20, penalty: 0, fee: 0, other: 0 }], total: 120 },
  reply_due: { date: "2024-06-12", source: "printed", basis: null },
  evidence: { gstin: { page: 1, quote: "GSTIN 29AAACB1234C1ZB" } },
};

const cited: Provision[] = [
  {
    act: "CGST Act",
    provision: "section 73(1)",
    heading: "Determination of tax",
    verdict: "exists",
    message: "",
    page: 1,
    quote: "u/s 73(1)",
  },
  {
    act: "CGST Act",
    provision: "section 999",
    heading: "",
    verdict: "unknown",
    message: "The index has no section 999.",
    page: 2,
    quote: "section 999",
  },
];

const known: Known = {
  document_id: conversation.id,
  facts,
  reckoning: {
    law: { as_of: "2026-11-20", overlaid: [] },
    deadlines: [
      {
        code: "reply",
        what: "Reply in FORM DRC-06",
        date: "2024-06-12",
        source: "printed",
        basis: "printed",
        uncertain: [],
        if_missed: "an order",
      },
      {
        code: "pay_and_close",
        what: "Pay and close",
        date: "2024-06-12",
        basis: "30 days",
        provision: "CGST s.73(8)",
        certainty: "knowledge",
        uncertain: ["Interest goes on."],
        paise: 12000,
      },
    ],
    limitation: [{ fy: "2018-19", section: "73", verdict: "late", last_day: "2024-01-31", uncertain: [] }],
    money: [
      {
        code: "interest",
        title: "Interest under section 50",
        rows: [
          {
            label: "Interest on IGST",
            base: 10000,
            rate: "18% a year",
            paise: null,
            missing: ["the due date of the return"],
          },
        ],
        uncertain: [],
      },
    ],
  },
  points: [
    {
      id: "time-limit-73-notice",
      provision: "CGST Act s.73(2) and (10)",
      verdict: "applies",
      strength: "ends",
      amount: 132000,
      remains: 0,
      because: [{ page: 1, quote: "Date : 05/12/2024" }],
      for: [],
      plead: "The notice is late.",
      provisional: false,
      en: { title: "Notice after its last day", explanation: "It came too late.", ask: "", why: "" },
      hi: { title: "नोटिस अंतिम दिन के बाद", explanation: "देर से आया।", ask: "", why: "" },
    },
    {
      id: "din-missing",
      provision: "Circular 122/41/2019",
      verdict: "does_not_apply",
      strength: "procedural",
      amount: null,
      remains: null,
      because: [],
      for: [],
      plead: "",
      provisional: false,
      en: { title: "No DIN", explanation: "", ask: "", why: "A DIN is printed." },
      hi: { title: "DIN नहीं", explanation: "", ask: "", why: "DIN छपा है।" },
    },
  ],
  provisions: cited,
  corrections: [],
  papers: [
    {
      type: "Tax invoices",
      name: "Tax invoices",
      reason: "they prove the credit",
      issue: "itc",
      state: "needed",
      document_id: null,
      asked: true,
    },
    {
      type: "Bank statement",
      name: "Bank statement",
      reason: "it shows that the price was paid",
      issue: "itc",
      state: "uploaded",
      document_id: conversation.id,
      asked: false,
    },
  ],
  letters: [
    { language: "en", name: "English", text: "Dear client" },
    { language: "hi", name: "हिन्दी", text: "आदरणीय" },
  ],
  answered_at: null,
};

function show(json: unknown = facts) {
  server.use(
    http.get("*/api/conversations/:id/brief", () => HttpResponse.json(known)),
    http.get("*/api/conversations/:id", () => HttpResponse.json(detail({ facts }))),
  );
  const read = readFacts(json);
  if (read === null) throw new Error("no facts");
  return renderRoutes(
    [
      {
        path: "/app/notices/:id",
        element: (
          <>
            <Brief facts={read} documentId={conversation.id} />
            <Toaster />
          </>
        ),
      },
    ],
    `/app/notices/${conversation.id}`,
  );
}

it("says what follows from the facts, with its provision and its doubts", async () => {
  show();
  expect(await screen.findByText("Reply in FORM DRC-06", { selector: "h3" })).toBeTruthy();
  expect(screen.getByText("If it is missed: an order.", { selector: "p.mt-1" })).toBeTruthy();
  for (const text of [
    "Interest goes on.",
    "appears to be late",
    "Last day under the Act: 31 January 2024",
    "Tax invoices",
    "Payable by this date: ₹120",
  ]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(screen.getByRole("link", { name: "s.73(8)" }).getAttribute("href")).toMatch(/^\/app\/law\/cgst\/73\(8\)/);
  expect(screen.getByText("Not computed: the due date of the return is not known.")).toBeTruthy();
  expect(screen.getByText(/Law tables as on 20 November 2026/)).toBeTruthy();
  expect(screen.getByRole("link", { name: /Calendar file/ }).getAttribute("href")).toBe(
    `/api/conversations/${conversation.id}/calendar.ics?language=en`,
  );
  expect(screen.getByText(/does not make a notice invalid/)).toBeTruthy();
  const provision = (words: string) => within(screen.getByText(words).closest("li") ?? document.body);
  expect(provision("section 73(1)").getByRole("img", { name: "in the index" })).toBeTruthy();
  expect(provision("section 73(1)").getByRole("link", { name: "page 1: section 73(1)" })).toBeTruthy();
  expect(provision("section 999").getByText("not verified: no such provision")).toBeTruthy();
  expect(provision("section 999").queryByRole("img")).toBeNull();
});

it("begins with what decides the notice, what it takes away and where it is printed", async () => {
  show();
  expect(await screen.findByText(/is reduced by ₹1,32,000 under CGST Act s\.73\(2\) and \(10\)/)).toBeTruthy();
  expect(screen.getByText("Date : 05/12/2024", { selector: "q" })).toBeTruthy();
  expect(screen.getByText("1 point that does not help, and why")).toBeTruthy();
  expect(screen.getByText("A DIN is printed.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Pay, contest, or both" }).getAttribute("href")).toBe(
    `/app/notices/${conversation.id}/choices`,
  );
});

it("shows at once that the notice was answered, and takes that back where it could not be saved", async () => {
  const { answer } = hold("*/api/conversations/:id/answered");
  const { user } = show();
  const done = await screen.findByRole("button", { name: "Mark as answered" });
  await user.click(done);
  expect(done.getAttribute("aria-pressed")).toBe("true");
  await answer(HttpResponse.json({}, { status: 500 }));
  expect(await screen.findByText("This could not be saved. Please try again.")).toBeTruthy();
  expect(done.getAttribute("aria-pressed")).toBe("false");
});

it("takes a correction, says what the server says of it, and undoes it", async () => {
  const said: unknown[] = [];
  server.use(
    http.post("*/api/conversations/:id/corrections", async ({ request }) => {
      said.push(await request.json());
      return said.length === 1
        ? problem(422, "invalid_correction", "A GSTIN has 15 characters.")
        : HttpResponse.json(known);
    }),
    http.post("*/api/conversations/:id/corrections/undo", async ({ request }) => {
      said.push(await request.json());
      return HttpResponse.json(known);
    }),
  );
  const { user } = show({ ...facts, corrected: { gstin: "29AAACB1234C1Z8" }, gstin: "29AAACB1234C1ZB" });
  expect(screen.getByText("corrected by you; it was read as 29AAACB1234C1Z8")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Correct: GSTIN" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Correct: GSTIN" }));
  expect(document.activeElement?.tagName).toBe("INPUT"); // the first field, not the button that closes
  expect(dialog.getByText("Read on page 1: “GSTIN 29AAACB1234C1ZB”")).toBeTruthy();
  const box = dialog.getByRole("textbox", { name: "GSTIN" });
  await user.clear(box);
  await user.type(box, "29");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect((await dialog.findByRole("alert")).textContent).toBe("A GSTIN has 15 characters.");
  await user.clear(box);
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => {
    expect(screen.queryByRole("dialog")).toBeNull();
  });
  await user.click(screen.getByRole("button", { name: "Undo: GSTIN" }));
  await waitFor(() => {
    expect(said).toEqual([{ field: "gstin", value: "29" }, { field: "gstin", value: null }, { field: "gstin" }]);
  });
});

it("asks for a look at what was recognised on a picture", async () => {
  let said: unknown;
  server.use(
    http.post("*/api/conversations/:id/corrections", async ({ request }) => {
      said = await request.json();
      return HttpResponse.json(known);
    }),
  );
  const { user } = show();
  await user.click(screen.getByRole("button", { name: "GSTIN is right" }));
  await waitFor(() => {
    expect(said).toEqual({ field: "gstin", confirmed: true });
  });
});

it("takes amounts as people write them, and leaves it to the server to refuse what is none", async () => {
  let said: unknown;
  server.use(
    http.post("*/api/conversations/:id/corrections", async ({ request }) => {
      said = await request.json();
      return HttpResponse.json(known);
    }),
  );
  const { user } = show();
  await user.click(screen.getByRole("button", { name: "Correct: Demand" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Correct: Demand" }));
  await user.type(dialog.getByRole("textbox", { name: "CGST, Tax" }), "₹12,45,000/-");
  await user.type(dialog.getByRole("textbox", { name: "CGST, Penalty" }), "much");
  await user.clear(dialog.getByRole("textbox", { name: "Total" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => {
    expect(said).toEqual({
      field: "demand",
      value: {
        rows: [
          { head: "IGST", tax: 100, interest: 20 },
          { head: "CGST", tax: 1_245_000, penalty: "much" },
        ],
        total: null,
      },
    });
  });
});

it("counts the papers that were asked for, as the conversation and the list do, and shows others apart", async () => {
  show();
  expect(await screen.findByText("Papers (0 of 1 received)")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "May also help" }).nextElementSibling?.textContent).toContain(
    "Bank statement",
  );
});

it("asks the client in English or Hindi", async () => {
  const { user } = show();
  await user.click(await screen.findByRole("button", { name: "हिन्दी" }));
  expect(screen.getByDisplayValue("आदरणीय")).toBeTruthy();
});

it("takes the parts of the tax with their days, beginning with what the notice claims", async () => {
  const said: unknown[] = [];
  server.use(
    http.post("*/api/conversations/:id/corrections", async ({ request }) => {
      said.push(await request.json());
      return said.length === 1
        ? problem(422, "invalid_correction", "May ends on 01.06.2021, before it begins on 20.06.2021.")
        : HttpResponse.json(known);
    }),
  );
  const { user } = show();
  await user.click(
    await screen.findByRole("button", { name: "Enter the due dates so that interest can be worked out" }),
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Since when has the tax been unpaid?" }));
  expect(dialog.getByDisplayValue("100")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "May");
  await user.type(dialog.getByLabelText("Due date of the return"), "2021-06-20");
  await user.click(dialog.getByRole("button", { name: "Add a part" }));
  const second = within(dialog.getByRole("group", { name: "Part 2" }));
  await user.selectOptions(second.getByRole("combobox", { name: "What it is" }), "Credit wrongly taken and used");
  await user.type(second.getByRole("textbox", { name: "Amount in rupees" }), "₹1,050.50");
  await user.type(dialog.getByLabelText("Used on"), "2021-07-20");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect((await dialog.findByRole("alert")).textContent).toContain("before it begins");
  await user.click(dialog.getByRole("button", { name: "Remove part 1" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => {
    expect(screen.queryByRole("dialog")).toBeNull();
  });
  const credit = { label: "", head: "IGST", kind: "credit", from: "2021-07-20", to: "", paise: 105_050 };
  expect(said).toEqual([
    {
      field: "portions",
      value: [{ label: "May", head: "IGST", kind: "short_paid", from: "2021-06-20", to: "", paise: 10_000 }, credit],
    },
    { field: "portions", value: [credit] },
  ]);
});

it("shows that parts were given, and undoes them", async () => {
  let undone: unknown;
  server.use(
    http.post("*/api/conversations/:id/corrections/undo", async ({ request }) => {
      undone = await request.json();
      return HttpResponse.json(known);
    }),
  );
  const given = { label: "May", head: "IGST", kind: "short_paid", from: "2021-06-20", to: "", paise: 10_000 };
  const { user } = show({
    ...facts,
    portions: [given, given, { head: "IGST", kind: "another" }],
    corrected: { portions: null },
  });
  expect(await screen.findByText("2 parts of the tax with their dates")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo: Parts of the tax with their dates" }));
  await waitFor(() => {
    expect(undone).toEqual({ field: "portions" });
  });
});

it("keeps authorities with their PDF, says that answers may cite no others, and takes a removal back", async () => {
  const asked: string[] = [];
  const arise: Authority = {
    id: "33333333-3333-4333-8333-333333333333",
    citation: "Arise India v. CTT",
    court: "Delhi High Court",
    date: "2017-10-26",
    proposition: "Good faith.",
    document_id: null,
    reading: false,
    created_at: conversation.created_at,
  };
  let list: Authority[] = [];
  server.use(
    http.get("*/api/conversations/:id/authorities", () => HttpResponse.json({ authorities: list })),
    http.post("*/api/conversations/:id/authorities", async ({ request }) => {
      asked.push(JSON.stringify(await request.json()));
      if (asked.length === 1) return problem(422, "no_citation", "Write the case, and where it is reported.");
      list = [arise];
      return HttpResponse.json(arise, { status: 201 });
    }),
    http.post("*/api/conversations/:id/authorities/:authority/document", () => {
      asked.push("document");
      if (asked.filter((one) => one === "document").length === 1)
        return problem(422, "damaged", "This PDF is damaged.");
      list = [{ ...arise, document_id: conversation.id }];
      return HttpResponse.json(list[0]);
    }),
    http.delete("*/api/conversations/:id/authorities/:authority", () => {
      list = [];
      return new HttpResponse(null, { status: 204 });
    }),
    http.post("*/api/conversations/:id/authorities/:authority/restore", () => {
      list = [arise];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = show();
  expect(await screen.findByText(/Answers can cite only these/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Add an authority" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add an authority" }));
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect((await dialog.findByRole("alert")).textContent).toBe("Write the case, and where it is reported.");
  await user.type(dialog.getByRole("textbox", { name: "Citation" }), arise.citation);
  await user.type(dialog.getByLabelText("Date of the decision"), "2017-10-26");
  const pdf = new File(["%PDF-"], "arise.pdf", { type: "application/pdf" });
  await user.upload(dialog.getByLabelText("PDF (optional)"), pdf);
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByText("The authority was added, but its PDF was not. This PDF is damaged.")).toBeTruthy();
  expect(await screen.findByText("Delhi High Court, 26 October 2017")).toBeTruthy();
  await user.upload(screen.getByLabelText("Add its PDF: Arise India v. CTT", { selector: "input" }), pdf);
  expect((await screen.findByRole("link", { name: "Open the PDF: Arise India v. CTT" })).getAttribute("href")).toBe(
    `/api/documents/${conversation.id}`,
  );
  expect(asked.slice(1)).toEqual([
    JSON.stringify({ citation: arise.citation, court: "", date: "2017-10-26", proposition: "" }),
    "document",
    "document",
  ]);

  await user.click(screen.getByRole("button", { name: "Remove: Arise India v. CTT" }));
  await waitFor(() => {
    expect(screen.queryByText("Delhi High Court, 26 October 2017")).toBeNull();
  });
  fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Delhi High Court, 26 October 2017")).toBeTruthy();
});

it("asks what it could not decide, and one click settles it", async () => {
  const said: unknown[] = [];
  server.use(
    http.post("*/api/conversations/:id/corrections", async ({ request }) => {
      said.push(await request.json());
      return HttpResponse.json(known);
    }),
  );
  const { user } = show({
    ...facts,
    form: null,
    demand: null,
    reply_due: { date: null, source: "unknown", basis: null },
    is_notice: { answer: "doubtful", reasons: [] },
    candidates: {
      reply_due: [
        { value: "2027-03-12", page: 2, quote: "on or before 12.03.2027" },
        { value: "2027-03-20", page: 3, quote: "by 20 March 2027" },
      ],
    },
    attention: [
      { code: "notice_doubtful", page: 0 },
      { code: "two_dates", page: 2 },
      { code: "amount_unread", page: 4 },
      { code: "form_unknown", page: 0 },
    ],
    watch: { date: "2027-03-12", what: "reply", settled: false },
  });
  const ask = within(await screen.findByRole("group", { name: "Needs your attention" }));
  expect(ask.getByText("Amount not read, see page 4.")).toBeTruthy();
  expect(ask.getByText(/If this is an order, there is a time limit for appeal/)).toBeTruthy();
  expect(screen.getByText(/^To be confirmed: 12 March 2027/)).toBeTruthy();
  await user.click(ask.getByRole("button", { name: "Reply date: 20 March 2027" }));
  await waitFor(() => {
    expect(said).toEqual([{ field: "reply_due", value: "2027-03-20" }]);
  });
  await user.click(ask.getByRole("button", { name: "Yes, it is" }));
  await waitFor(() => {
    expect(said[1]).toEqual({ field: "is_notice", value: "yes" });
  });
  await user.click(ask.getByRole("button", { name: "Reply date: none of these" }));
  expect(await screen.findByRole("dialog", { name: "Correct: Reply date" })).toBeTruthy();
});

it("offers what a model proposed and the program found, which counts once it is taken", async () => {
  const said: unknown[] = [];
  server.use(
    http.post("*/api/conversations/:id/corrections", async ({ request }) => {
      said.push(await request.json());
      return HttpResponse.json(known);
    }),
  );
  const { user } = show({
    ...facts,
    reply_due: { date: null, source: "unknown", basis: null },
    corrected: { form: null },
    candidates: {
      reply_due: [
        { value: "2027-03-12", page: 2, quote: "by 12 March" },
        { value: "2027-03-20", page: 3, quote: "by 20 March 2027" },
      ],
      legal_name: [{ value: "A GUESS", page: 1, quote: "A Guess" }],
    },
    proposed: {
      reply_due: { value: "2027-03-12", page: 2, quote: "rests till 12 March 2027" },
      hearing: { value: "2027-03-01 11:30", page: 2, quote: "on 1 March 2027 at 11.30 a.m." },
      form: { value: "DRC-01", page: 1, quote: "FORM DRC-01" },
    },
    attention: [{ code: "no_date", page: 0 }],
    watch: null,
  });
  const ask = within(await screen.findByRole("group", { name: "Needs your attention" }));
  expect(ask.getAllByText("Suggested by the model, found on")).toHaveLength(2);
  expect(ask.getAllByRole("button", { name: /^Reply date: \d/ }).map((button) => button.textContent)).toEqual([
    "12 March 2027",
    "20 March 2027",
  ]);
  expect(ask.queryByText(/^No reply date was found/)).toBeNull(); // the question is shown in its place
  expect(ask.queryByRole("button", { name: /A GUESS|DRC-01/ })).toBeNull(); // only a guess, and the settled fields
  await user.click(ask.getByRole("button", { name: "Personal hearing: 1 March 2027, 11:30" }));
  await user.click(ask.getByRole("button", { name: "Reply date: 12 March 2027" }));
  await waitFor(() => {
    expect(said).toEqual([
      { field: "hearing", value: { date: "2027-03-01", time: "11:30", venue: null } },
      { field: "reply_due", value: "2027-03-12" },
    ]);
  });
});

it("asks nothing more of what a person said is no notice", async () => {
  show({
    ...facts,
    is_notice: { answer: "no", reasons: [] },
    corrected: { is_notice: { answer: "doubtful" } },
    attention: [],
  });
  await screen.findByText("Reply in FORM DRC-06", { selector: "h3" });
  expect(screen.queryByRole("group", { name: "Needs your attention" })).toBeNull();
});
