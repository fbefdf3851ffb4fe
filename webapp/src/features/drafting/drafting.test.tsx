import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { afterEach, describe, expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { conversation, detail, message, noticePlugin, problem, server, turn } from "@test/server";
import type { Plugin } from "@/lib/api";
import { DraftingHome, DraftingResult } from ".";

const types = ["Legal Notice", "Agreement", "Affidavit", "Legal Reply", "Petition"];
const plugin: Plugin = {
  ...noticePlugin,
  id: "drafting",
  title: "AI Drafting",
  view: {
    heading: "Draft a Legal Document",
    hint: "",
    button: "Generate Draft",
    placeholder: "",
    note: "A professional has to review it.",
  },
  inputs: [
    {
      id: "type",
      type: "choice",
      title: "Document type",
      hint: "",
      placeholder: "",
      required: true,
      choices: types.map((id) => ({ id, title: id })),
    },
    {
      id: "details",
      type: "text",
      title: "Requirements and Details",
      hint: "",
      placeholder: "Who and what",
      required: true,
      choices: [],
    },
  ],
  turns: [{ kind: "analysis", title: "Draft", inputs: ["type", "details"] }],
};

afterEach(() => {
  sessionStorage.clear();
});

const home = () =>
  renderRoutes(
    [
      { path: "/", element: <DraftingHome plugin={plugin} /> },
      { path: "/app/drafting/:id", element: <p>the draft</p> },
    ],
    "/",
  );
const button = () => screen.getByRole("button", { name: "Generate Draft" });

describe("the form", () => {
  it("has the types and six rows, wants both, sends them, and stays filled in", async () => {
    const taken: unknown[] = [];
    server.use(
      http.post("*/api/conversations", () =>
        HttpResponse.json({ ...conversation, turn_state: "none" }, { status: 201 }),
      ),
      http.get("*/api/conversations/:id", () => HttpResponse.json(detail())),
      http.post("*/api/conversations/:id/messages", async ({ request }) => {
        taken.push(await request.json());
        return HttpResponse.json(turn(), { status: 202 });
      }),
    );
    const { user } = home();
    const type = screen.getByRole<HTMLSelectElement>("combobox", { name: "Document type" });
    const details = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Requirements and Details" });
    expect([...type.options].map(({ text }) => text)).toEqual(["Choose one", ...types]);
    expect(details.rows).toBe(6);
    expect(button()).toHaveProperty("disabled", true);
    await user.selectOptions(type, "Petition");
    await user.type(details, "  ");
    expect(button()).toHaveProperty("disabled", true);
    await user.type(details, "Stay of the order");
    await user.click(button());
    await screen.findByText("the draft");
    expect(taken).toEqual([{ inputs: { type: "Petition", details: "Stay of the order" } }]);
    expect(new URLSearchParams(sessionStorage.getItem("munshi.draft.form.drafting") ?? "").get("details")).toBe(
      "  Stay of the order",
    );
  });

  it("says what went wrong, keeps what was written, and is cleared by the person alone", async () => {
    server.use(http.post("*/api/conversations", () => problem(503, "unavailable", "Munshi cannot do this just now.")));
    const { user } = home();
    const details = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Requirements and Details" });
    await user.selectOptions(screen.getByRole("combobox", { name: /Document type/ }), "Affidavit");
    await user.type(details, "That I live in Pune");
    await user.click(button());
    expect((await screen.findByRole("alert")).textContent).toBe("Munshi cannot do this just now.");
    expect(details.value).toBe("That I live in Pune");
    await user.click(screen.getByRole("button", { name: "Clear the form" }));
    expect(details.value).toBe("");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("the result", () => {
  const show = () =>
    renderRoutes([{ path: "/", element: <DraftingResult plugin={plugin} id={conversation.id} /> }], "/");
  const written = detail({
    plugin: "drafting",
    title: "Petition – Stay",
    messages: [message({ role: "user", text: "Petition – Stay" }), message({ text: "# IN THE HIGH COURT" })],
    turn: turn({ state: "answered" }),
  });

  it("leads to the Word file, the editor and another draft", async () => {
    server.use(
      http.get("*/api/conversations/:id", () => HttpResponse.json(written)),
      http.get("*/api/conversations/:id/drafts", () =>
        HttpResponse.json({
          drafts: [
            { id: "d2", turn_id: turn().id, kind: "Petition", title: "Petition – Stay" },
            { id: "d1", turn_id: "another", kind: "Petition", title: "x" },
          ],
        }),
      ),
    );
    show();
    expect((await screen.findByRole("link", { name: "Download as Word" })).getAttribute("href")).toBe(
      "/api/drafts/d2/word",
    );
    expect(screen.getByRole("link", { name: "Edit" }).getAttribute("href")).toBe("/app/drafts/d2");
    expect(screen.getByRole("link", { name: "Generate Another Draft" }).getAttribute("href")).toBe("/app/drafting");
    expect(screen.getByText("Saved to Draft History.")).toBeTruthy();
  });

  it("says when the saved draft is gone, and offers no file of it", async () => {
    server.use(
      http.get("*/api/conversations/:id", () => HttpResponse.json(written)),
      http.get("*/api/conversations/:id/drafts", () => HttpResponse.json({ drafts: [] })),
    );
    show();
    expect(await screen.findByText("The saved draft was deleted.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Download as Word" })).toBeNull();
  });

  it("shows a failure with Retry, and asks for no draft of it", async () => {
    let asked = 0;
    server.use(
      http.get("*/api/conversations/:id", () =>
        HttpResponse.json({
          ...written,
          messages: [written.messages?.[0], message({ state: "failed", text: "I apologize." })],
          turn: turn({ state: "failed" }),
        }),
      ),
      http.get("*/api/conversations/:id/drafts", () => {
        asked += 1;
        return HttpResponse.json({ drafts: [] });
      }),
    );
    show();
    expect(await screen.findByRole("button", { name: "Retry" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Generate Another Draft" })).toBeTruthy();
    await waitFor(() => {
      expect(screen.getByText("I apologize.")).toBeTruthy();
    });
    expect(asked).toBe(0);
  });
});
