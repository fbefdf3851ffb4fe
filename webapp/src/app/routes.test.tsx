import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it, test } from "vitest";
import { renderRoutes } from "@test/render";
import { config, conversation, hold, me, noticePlugin, problem, server, turn } from "@test/server";
import { day, money } from "@/lib/format";
import { routes } from "./routes";
import { Toasts } from "./Toasts";

test.each([
  ["/app", "/app/lawyer"],
  ["/app/summary", "/app/summary"],
])("%s leads to %s", async (from, to) => {
  const { router } = renderRoutes(routes, from);
  await waitFor(() => {
    expect(router.state.location.pathname).toBe(to);
  });
});

describe("the workspace", () => {
  it("has the four tabs, AI Lawyer first", async () => {
    renderRoutes(routes, "/app");
    const tabs = within(await screen.findByRole("navigation", { name: "Workspace" })).getAllByRole("link");
    expect(tabs.map((tab) => tab.textContent)).toEqual([
      "AI Lawyer",
      "Notice Analysis",
      "AI Drafting",
      "Document Summarizer",
    ]);
    await waitFor(() => {
      expect(tabs[0]?.getAttribute("aria-current")).toBe("page");
    });
  });

  it.each([
    ["/app/lawyer", "AI Lawyer"],
    ["/app/drafting", "AI Drafting"],
    ["/app/summary", "Document Summarizer"],
  ])("%s says where its plugin does not serve, and what can be done now", async (path, title) => {
    renderRoutes(routes, path);
    expect(await screen.findByRole("heading", { name: `${title} is not available right now` })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to Notice Analysis" }).getAttribute("href")).toBe("/app/notices");
  });

  it("speaks Hindi when that is chosen, remembers it, and comes back to English", async () => {
    const { user } = renderRoutes(routes, "/app/notices");
    const hindi = await screen.findByRole("radio", { name: "हिन्दी" });
    fireEvent.click(hindi);
    expect(hindi.getAttribute("aria-checked")).toBe("true"); // while its texts are fetched
    expect(await screen.findByRole("button", { name: "पुराने मसौदे" })).toBeTruthy();
    expect(document.documentElement.lang).toBe("hi");
    expect(localStorage.getItem("munshi.language")).toBe("hi");
    expect([money(1_245_000), day("2025-05-12")]).toEqual(["₹12,45,000", "12 मई 2025"]);
    await user.click(screen.getByRole("radio", { name: "English" }));
    expect(await screen.findByRole("button", { name: "Draft History" })).toBeTruthy();
    expect(document.documentElement.lang).toBe("en");
  });

  it("puts a reminder aside at once, and brings it back where that could not be saved", async () => {
    const reminder = {
      id: "r1",
      conversation_id: conversation.id,
      title: "Malnad Coffee",
      reply_by: "2025-06-11",
      what: "reply",
      settled: true,
      reminded_at: "2025-06-04T10:00:00Z",
    };
    server.use(http.get("*/api/reminders", () => HttpResponse.json({ reminders: [reminder] })));
    const { answer } = hold("*/api/reminders/:id/seen");
    const { user } = renderRoutes(routes, "/app/notices");
    render(<Toasts />);
    await user.click(await screen.findByRole("button", { name: "Dismiss: Malnad Coffee" }));
    expect(screen.queryByRole("link", { name: "Malnad Coffee" })).toBeNull();
    await answer(HttpResponse.json({}, { status: 500 }));
    expect(await screen.findByRole("link", { name: "Malnad Coffee" })).toBeTruthy();
    expect(await screen.findByText("This could not be saved. Please try again.")).toBeTruthy();
  });

  // Files dropped on any tab are accepted, and their upload continues wherever the person goes.
  it("takes files that are dropped on another tab to Notice Analysis, and says on every page how far they are", async () => {
    let taken = 0;
    let answer: (() => void) | undefined;
    let used = 0;
    server.use(
      http.get("*/api/me", () => HttpResponse.json({ ...me, limited: true, free: 4, used })),
      http.post("*/api/conversations", () => {
        taken += 1;
        return HttpResponse.json(
          { ...conversation, id: `01a20000-0000-7000-8000-00000000000${String(taken)}` },
          { status: 201 },
        );
      }),
      http.post("*/api/conversations/:id/documents", async ({ params }) => {
        if (String(params.id).endsWith("2")) await new Promise<void>((go) => (answer = go));
        used += 1;
        return HttpResponse.json(turn({ state: "running" }), { status: 202 });
      }),
    );
    const { user } = renderRoutes(routes, "/app/drafting");
    await screen.findByRole("link", { name: "AI Drafting" });
    expect(await screen.findByText("4 free uses left")).toBeTruthy();
    const files = ["one.pdf", "two.pdf", "three.pdf"].map(
      (name) => new File(["%PDF-"], name, { type: "application/pdf" }),
    );
    const data = { types: ["Files"], files };
    fireEvent.dragOver(document.body, { dataTransfer: data });
    expect(screen.getByText("Drop the files to analyse them as notices")).toBeTruthy();
    fireEvent.drop(document.body, { dataTransfer: data });
    const list = within(await screen.findByRole("region", { name: "Files being sent" }));
    expect(await list.findByText("1 of 3 files uploaded")).toBeTruthy();
    expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "two.pdf",
      "three.pdfwaiting",
    ]);
    expect(screen.queryByText("Drop the files to analyse them as notices")).toBeNull();
    expect(await screen.findByText("3 free uses left")).toBeTruthy();

    await user.click(screen.getByRole("link", { name: "AI Drafting" }));
    expect(await screen.findByText(/^1 of 3 files uploaded\./)).toBeTruthy();
    answer?.();
    await waitFor(() => {
      expect(screen.queryByText(/files uploaded/)).toBeNull();
    });
    expect(taken).toBe(3);
  });

  it("says when the server's disk is full", async () => {
    server.use(http.get("*/api/plugins", () => HttpResponse.json({ plugins: [], disk_full: true })));
    renderRoutes(routes, "/app/notices");
    expect(await screen.findByText(/^This server's disk is full\. Your work is safe/)).toBeTruthy();
  });

  it("says when the server does not answer, until it does", async () => {
    server.use(http.get("*/api/plugins", () => HttpResponse.error(), { once: true }));
    renderRoutes(routes, "/app/notices");
    expect(await screen.findByText(/Cannot reach the server/)).toBeTruthy();
    await waitFor(() => {
      expect(screen.queryByText(/Cannot reach the server/)).toBeNull();
    });
  });

  it("shows the keys on ?, unless someone types", async () => {
    const { user } = renderRoutes(routes, "/app/notices");
    await screen.findByRole("complementary", { name: "Menu" });
    await user.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(within(sheet).getByText("show the keyboard shortcuts")).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Keyboard shortcuts" }));
    expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeTruthy();
  });

  it.each(["Draft History", "Templates"])("opens %s in the sidebar and comes back", async (name) => {
    const { user } = renderRoutes(routes, "/app/lawyer");
    const sidebar = within(await screen.findByRole("complementary", { name: "Menu" }));
    await user.click(sidebar.getByRole("button", { name }));
    expect(sidebar.getByRole("heading", { name })).toBeTruthy();
    await user.click(sidebar.getByRole("button", { name: "Back" }));
    expect(sidebar.getByRole("button", { name })).toBeTruthy();
  });

  it("has a tab for each other plugin after the four, as its manifest says", async () => {
    const review = {
      ...noticePlugin,
      id: "contract-review",
      title: "Contract Review",
      icon: "file-signature",
      order: 1,
    };
    server.use(http.get("*/api/plugins", () => HttpResponse.json({ plugins: [review, noticePlugin] })));
    const { user } = renderRoutes(routes, "/app/notices");
    const tabs = within(await screen.findByRole("navigation", { name: "Workspace" }));
    await user.click(await tabs.findByRole("link", { name: "Contract Review" }));
    expect(tabs.getAllByRole("link").map((tab) => tab.textContent)).toEqual([
      "AI Lawyer",
      "Notice Analysis",
      "AI Drafting",
      "Document Summarizer",
      "Contract Review",
    ]);
    expect(await screen.findByRole("heading", { name: "Contract Review" })).toBeTruthy();
  });

  it("gives the tab of a specified feature to the plugin of its name", async () => {
    const drafting = { ...noticePlugin, id: "drafting", title: "Drafting Room", order: 3 };
    server.use(http.get("*/api/plugins", () => HttpResponse.json({ plugins: [noticePlugin, drafting] })));
    renderRoutes(routes, "/app/drafting");
    expect(await screen.findByRole("heading", { name: "Drafting Room" })).toBeTruthy();
    expect(screen.getAllByRole("link", { name: "Drafting Room" })).toHaveLength(1);
  });

  it("leads away from the tab of a plugin that is not there", async () => {
    const { router } = renderRoutes(routes, "/app/contract-review");
    await waitFor(() => {
      expect(router.state.location.pathname).toBe("/app/lawyer");
    });
  });

  it("says when the plugins cannot be loaded", async () => {
    server.use(http.get("*/api/plugins", () => problem(400, "broken", "The prompts cannot be read.")));
    renderRoutes(routes, "/app/drafting");
    expect(await screen.findByText("The prompts cannot be read.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });

  it("books a consultation only where one is configured", async () => {
    renderRoutes(routes, "/app/lawyer");
    await screen.findByText(/Answers are written by the offline engine/);
    expect(screen.queryByRole("link", { name: /Book a Consultation/ })).toBeNull();
  });

  it("links to the configured consultation", async () => {
    server.use(
      http.get("*/api/config", () => HttpResponse.json({ ...config, consultation_url: "https://book.example/" })),
    );
    renderRoutes(routes, "/app/lawyer");
    const link = await screen.findByRole("link", { name: /Book a Consultation/ });
    expect(link.getAttribute("href")).toBe("https://book.example/");
  });

  it("says who writes the answers", async () => {
    server.use(
      http.get("*/api/config", () =>
        HttpResponse.json({ ...config, model: { offline: false, name: "gpt-4o", host: "api.openai.com" } }),
      ),
    );
    renderRoutes(routes, "/app/lawyer");
    expect(await screen.findByText("Answers are written by gpt-4o.")).toBeTruthy();
  });
});
