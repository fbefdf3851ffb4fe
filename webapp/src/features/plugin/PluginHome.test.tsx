import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { conversation, detail, message, noticePlugin, problem, server, turn } from "@test/server";
import type { Plugin, PluginInput } from "@/lib/api";
import { PluginConversation } from "./PluginConversation";
import { PluginHome } from "./PluginHome";

const input = (over: Partial<PluginInput>): PluginInput => ({
  id: "x",
  type: "text",
  title: "X",
  hint: "",
  placeholder: "",
  required: true,
  choices: [],
  ...over,
});

const choices = (...ids: string[]) => ids.map((id) => ({ id, title: id }));

const review: Plugin = {
  ...noticePlugin,
  id: "contract-review",
  title: "Contract Review",
  icon: "file-signature",
  view: {
    heading: "Have a Contract Reviewed",
    hint: "It is held against a checklist.",
    button: "Review it",
    placeholder: "Ask about it",
    note: "A lawyer must review this.",
  },
  inputs: [
    input({ id: "contract", type: "pdf", title: "The contract" }),
    input({ id: "side", type: "choice", title: "Whom do you act for?", choices: choices("Buyer", "Seller") }),
    input({ id: "notes", title: "Worries", required: false, hint: "In your words." }),
  ],
  turns: [
    { kind: "analysis", title: "Review", inputs: ["contract", "side", "notes"] },
    { kind: "chat", title: "Question", inputs: [] },
  ],
};

const drafting: Plugin = {
  ...review,
  id: "drafting",
  inputs: [
    input({ id: "kind", type: "choice", title: "Document type", choices: choices("A", "B", "C", "D", "E", "F", "G") }),
    input({ id: "details", title: "Requirements and Details" }),
  ],
  turns: [{ kind: "analysis", title: "Draft", inputs: ["kind", "details"] }],
};

const lawyer: Plugin = {
  ...review,
  id: "lawyer",
  inputs: [
    input({
      id: "area",
      type: "choice",
      title: "Practice area",
      required: false,
      placeholder: "Ask about {input_area} law...",
      choices: [
        { id: "tax", title: "Tax Law" },
        { id: "property", title: "Property Law" },
      ],
    }),
  ],
  turns: [{ kind: "chat", title: "Question", inputs: ["area"] }],
};

async function show(plugin: Plugin) {
  const view = renderRoutes(
    [
      { path: "/", element: <PluginHome plugin={plugin} /> },
      { path: `/app/${plugin.id}/:id`, element: <p>the conversation</p> },
    ],
    "/",
  );
  await screen.findByRole("heading", { level: 1 });
  return view;
}

/** Records a request for a new conversation, unchanged. */
function takeAll(): { messages: unknown[]; forms: string[] } {
  const taken = { messages: [] as unknown[], forms: [] as string[] };
  server.use(
    http.post("*/api/conversations", () => HttpResponse.json({ ...conversation, turn_state: "none" }, { status: 201 })),
    http.get("*/api/conversations/:id", () => HttpResponse.json(detail())),
    http.post("*/api/conversations/:id/messages", async ({ request }) => {
      taken.messages.push(await request.json());
      return HttpResponse.json(turn(), { status: 202 });
    }),
    http.post("*/api/conversations/:id/documents", async ({ request }) => {
      taken.forms.push(await request.text());
      return HttpResponse.json(turn(), { status: 202 });
    }),
  );
  return taken;
}

describe("the form of a plugin", () => {
  it("says what the manifest says, and sends the file with what was chosen and written", async () => {
    const taken = takeAll();
    const { user } = await show(review);
    expect(screen.getByRole("heading", { name: "Have a Contract Reviewed" })).toBeTruthy();
    expect(screen.getByText("It is held against a checklist.")).toBeTruthy();
    expect(screen.getByText("A lawyer must review this.")).toBeTruthy();
    const button = screen.getByRole("button", { name: "Review it" });
    expect(button).toHaveProperty("disabled", true);
    await user.click(screen.getByRole("radio", { name: "Seller" }));
    await user.type(screen.getByRole("textbox", { name: /Worries/ }), " no cap ");
    expect(button).toHaveProperty("disabled", true); // the file is still missing
    await user.upload(screen.getByTestId("file-input"), new File(["%PDF-"], "lease.pdf", { type: "application/pdf" }));
    expect(screen.getByText(/lease\.pdf/)).toBeTruthy();
    await user.click(button);
    await screen.findByText("the conversation");
    const inputs = /name="inputs"\r\n\r\n([^\r]*)/.exec(taken.forms[0] ?? "")?.[1] ?? "";
    expect(JSON.parse(inputs)).toEqual({ side: "Seller", notes: "no cap" });
    expect(taken.forms[0]).not.toContain('name="type"');
    expect(sessionStorage.getItem("munshi.draft.form.contract-review")).toBeNull();
  });

  it("sends a form without a file, from a list when the choices are many", async () => {
    const taken = takeAll();
    const { user } = await show(drafting);
    await user.selectOptions(screen.getByRole("combobox", { name: "Document type" }), "C");
    await user.type(screen.getByRole("textbox", { name: "Requirements and Details" }), "A lease");
    await user.click(screen.getByRole("button", { name: "Review it" }));
    await screen.findByText("the conversation");
    expect(taken.messages).toEqual([{ inputs: { kind: "C", details: "A lease" } }]);
  });

  it("keeps what was filled in when it is refused, and over a reload", async () => {
    takeAll();
    server.use(
      http.post("*/api/conversations/:id/messages", () =>
        problem(422, "unknown_choice", "Document type: choose one of A, B."),
      ),
    );
    const { user } = await show(drafting);
    await user.selectOptions(screen.getByRole("combobox", { name: "Document type" }), "C");
    const details = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Requirements and Details" });
    await user.type(details, "A lease");
    await user.click(screen.getByRole("button", { name: "Review it" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Document type: choose one of A, B.");
    expect(details.value).toBe("A lease");
    expect(sessionStorage.getItem("munshi.draft.form.drafting")).toContain("A lease");
    sessionStorage.clear();
  });

  it("refuses what is no PDF without asking the server", async () => {
    const { user } = await show(review);
    await user.upload(screen.getByTestId("file-input"), new File(["x"], "lease.docx", { type: "application/msword" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Please upload a PDF, JPEG, PNG, WebP or HEIC file");
  });
});

describe("a form that is given two papers", () => {
  it("takes one and says which", async () => {
    const { user } = await show(review);
    const papers = ["lease.pdf", "deed.pdf"].map((name) => new File(["%PDF-"], name, { type: "application/pdf" }));
    await user.upload(screen.getByTestId("file-input"), papers);
    expect((await screen.findByRole("alert")).textContent).toBe("This form takes one file. Only lease.pdf was added.");
  });
});

describe("a plugin that only takes questions", () => {
  it("sends the choice with the question", async () => {
    const taken = takeAll();
    const { user } = await show(lawyer);
    const area = within(screen.getByRole("group", { name: "Practice area" }));
    await user.click(area.getByRole("button", { name: "Tax Law", pressed: false }));
    await user.click(area.getByRole("button", { name: "Tax Law", pressed: true })); // pressed again: no choice
    expect(screen.getByPlaceholderText("Ask about it")).toBeTruthy();
    await user.click(area.getByRole("button", { name: "Property Law" }));
    expect(area.getByRole("button", { name: "Tax Law" }).getAttribute("aria-pressed")).toBe("false");
    await user.type(screen.getByPlaceholderText("Ask about property law..."), "May I build?{Enter}");
    await screen.findByText("the conversation");
    expect(taken.messages).toEqual([{ text: "May I build?", inputs: { area: "property" } }]);
    sessionStorage.clear();
  });
});

it("takes an authority before the first question", async () => {
  takeAll();
  const { user, router } = await show({ ...lawyer, authorities: true });
  await user.click(screen.getByRole("button", { name: "Add a judgment or circular that the answer may cite" }));
  await screen.findByText("the conversation");
  expect(router.state.location.state).toEqual({ authorities: true });
});

describe("a conversation with a plugin", () => {
  const answered = detail({
    plugin: review.id,
    title: "lease.pdf",
    messages: [message({ role: "user", text: "I have uploaded a contract." }), message({ text: "## Redline" })],
    turn: turn({ state: "answered" }),
  });

  it("offers what the manifest's turns take", async () => {
    server.use(http.get("*/api/conversations/:id", () => HttpResponse.json(answered)));
    renderRoutes([{ path: "/", element: <PluginConversation plugin={review} id={conversation.id} /> }], "/");
    expect(await screen.findByRole("heading", { name: "lease.pdf" })).toBeTruthy();
    expect(screen.getByPlaceholderText("Ask about it")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Upload document" })).toBeNull(); // it has no turn for documents
    expect(screen.getByRole("link", { name: "Contract Review" }).getAttribute("href")).toBe("/app/contract-review");
  });

  it("can be stopped where no question can be asked", async () => {
    let stopped = 0;
    server.use(
      http.get("*/api/conversations/:id", () => HttpResponse.json({ ...answered, messages: [], turn: turn() })),
      http.post("*/api/turns/:id/stop", () => {
        stopped += 1;
        return HttpResponse.json(turn(), { status: 202 });
      }),
    );
    const { user } = renderRoutes(
      [{ path: "/", element: <PluginConversation plugin={drafting} id={conversation.id} /> }],
      "/",
    );
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    expect(screen.queryByRole("textbox")).toBeNull();
    await waitFor(() => {
      expect(stopped).toBe(1);
    });
  });
});

it("takes an input of any name, as of one that every object has", async () => {
  await show({
    ...drafting,
    inputs: [input({ id: "constructor", title: "Who builds" })],
    turns: [{ kind: "analysis", title: "Draft", inputs: ["constructor"] }],
  });
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Who builds" }).value).toBe("");
});
