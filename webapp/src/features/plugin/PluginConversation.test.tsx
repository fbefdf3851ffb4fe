import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { conversation, detail, message, noticePlugin, problem, server, turn } from "@test/server";
import type { ConversationDetail, Plugin } from "@/lib/api";
import { PluginConversation } from "./PluginConversation";

const plugin: Plugin = {
  ...noticePlugin,
  id: "lawyer",
  title: "AI Lawyer",
  inputs: [],
  turns: [{ kind: "chat", title: "Question", inputs: [] }],
};
const provenance = {
  prompt: "lawyer/chat",
  prompt_sha: "x",
  model: "m",
  input_tokens: 1,
  output_tokens: 1,
  milliseconds: 1,
};

/** Shows a conversation, and returns the requests that are then sent to it. */
function show(over: Partial<ConversationDetail>) {
  const sent: unknown[] = [];
  server.use(
    http.get("*/api/conversations/:id", () =>
      HttpResponse.json(detail({ plugin: "lawyer", title: "Leases", ...over })),
    ),
    http.post("*/api/conversations/:id/messages", async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1
        ? problem(503, "unavailable", "Not just now.")
        : HttpResponse.json(turn({ id: "t3", kind: "chat", state: "answered" }), { status: 202 });
    }),
  );
  return {
    sent,
    ...renderRoutes([{ path: "/", element: <PluginConversation plugin={plugin} id={conversation.id} /> }], "/"),
  };
}

const twice = [
  message({ turn_id: "t0", exchange: "t0", role: "user", text: "What is a lease?" }),
  message({ turn_id: "t0", exchange: "t0", text: "A right to use." }),
  message({ turn_id: "t1", exchange: "t1", role: "user", text: "Must it be stamped?", inputs: { area: "property" } }),
  message({ turn_id: "t1", exchange: "t1", text: "Perhaps." }),
  message({
    turn_id: "t2",
    exchange: "t1",
    role: "user",
    text: "Must a lease be stamped?",
    inputs: { area: "property" },
  }),
  message({ turn_id: "t2", exchange: "t1", text: "Yes." }),
];
const answered = turn({ id: "t2", kind: "chat", state: "answered" });

describe("a question that was asked anew", () => {
  it("shows the latest answer, and the earlier one to who goes back", async () => {
    const { user } = show({ messages: twice, turn: answered });
    const log = within(await screen.findByRole("log"));
    expect(await log.findByText("Yes.")).toBeTruthy();
    expect(log.queryByText("Perhaps.")).toBeNull();
    expect(log.getByText("2 of 2")).toBeTruthy();
    await user.click(log.getByRole("button", { name: "Earlier answer" }));
    expect(await log.findByText("Perhaps.")).toBeTruthy();
    expect(log.getByText("Must it be stamped?")).toBeTruthy();
    expect(log.getByText(/The conversation continues from the latest one/)).toBeTruthy();
    expect(log.getByRole("button", { name: "Earlier answer" })).toHaveProperty("disabled", true);
  });

  it("is asked again with its words and what was given with it, and only the last one is", async () => {
    const { user, sent } = show({ messages: twice, turn: answered });
    await user.click(await screen.findByRole("button", { name: "Regenerate" }));
    await waitFor(() => {
      expect(sent).toHaveLength(1);
    });
    expect(screen.getByText("Yes.")).toBeTruthy(); // it was refused, and the answer stays
    expect(sent).toEqual([{ text: "Must a lease be stamped?", inputs: { area: "property" }, replaces: "t2" }]);
  });

  it("can be edited, and keeps what was typed when it is refused", async () => {
    const { user, sent } = show({ messages: twice, turn: answered });
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const box = screen.getByRole("textbox", { name: "Edit your question" });
    await user.clear(box);
    expect(within(box.closest("form") as HTMLElement).getByRole("button", { name: "Send" })).toHaveProperty(
      "disabled",
      true,
    );
    await user.type(box, "Must it be registered?{Enter}");
    expect(await screen.findByText("Not just now.")).toBeTruthy();
    await user.type(box, "{Enter}");
    await waitFor(() => {
      expect(screen.queryByRole("textbox", { name: "Edit your question" })).toBeNull();
    });
    expect(sent.at(-1)).toEqual({ text: "Must it be registered?", inputs: { area: "property" }, replaces: "t2" });
  });
});

it("asks no analysis anew, and nothing while a reply is written", async () => {
  show({ messages: twice, turn: turn({ id: "t2", kind: "analysis", state: "answered" }) });
  await screen.findByText("Yes.");
  expect(screen.queryByRole("button", { name: "Regenerate" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
});

it("says where messages were summarised for the model, and shows the notes", async () => {
  const earlier = { text: "- Asha asked about **leases**.", through: "t0", messages: 2 };
  const { user } = show({
    messages: [
      ...twice.slice(0, 5),
      message({ turn_id: "t2", exchange: "t1", text: "Yes.", provenance: { ...provenance, earlier } }),
    ],
    turn: answered,
  });
  const line = await screen.findByText("Earlier messages were summarised for the model (2)");
  const first = screen.getByText("A right to use.");
  expect(first.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(line.compareDocumentPosition(screen.getByText("Yes.")) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  await user.click(line);
  expect(await screen.findByText("leases")).toBeTruthy();
});

// AI Lawyer takes authorities as Notice Analysis does.
it("takes authorities that answers may cite", async () => {
  const list = [
    {
      id: "a1",
      citation: "Arise India v. Commissioner",
      court: "Delhi High Court",
      date: "2017-10-26",
      proposition: "",
      document_id: null,
      reading: false,
    },
  ];
  server.use(
    http.get("*/api/conversations/:id/authorities", () => HttpResponse.json({ authorities: list })),
    http.post("*/api/conversations/:id/authorities", async ({ request }) => {
      const { citation } = (await request.json()) as { citation: string };
      list.push({ ...list[0], id: "a2", citation } as (typeof list)[number]);
      return HttpResponse.json(list.at(-1), { status: 201 });
    }),
  );
  const { user } = show({ messages: twice, turn: answered });
  await user.click(await screen.findByRole("button", { name: "Authorities 1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Authorities you rely on" }));
  expect(await dialog.findByText("Arise India v. Commissioner")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Add an authority" }));
  const adding = within(await screen.findByRole("dialog", { name: "Add an authority" }));
  await user.type(adding.getByLabelText("Citation"), "Safari Retreats");
  await user.click(adding.getByRole("button", { name: "Add" }));
  expect(await dialog.findByText("Safari Retreats")).toBeTruthy();
});
