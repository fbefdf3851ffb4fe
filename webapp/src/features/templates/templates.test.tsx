import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { conversation, notice, notices, problem, server } from "@test/server";
import type { Template } from "@/lib/api";
import { TemplatePage, TemplatesPage } from ".";

const template = (over: Partial<Template>): Template => ({
  id: "x",
  title: "X",
  category: "Applications",
  about: "",
  form: "",
  section: "",
  answers: [],
  content: "# X\n\n[… name]",
  ...over,
});
const list = [
  template({ id: "adjournment", title: "Request for adjournment", about: "More time to reply." }),
  template({
    id: "drc06",
    title: "Reply under section 73",
    category: "Replies to notices",
    form: "FORM GST DRC-06",
    answers: ["DRC-01"],
  }),
  template({
    id: "rent",
    title: "Rent agreement",
    category: "Agreements",
    content: "# RENT AGREEMENT\n\nBetween [… landlord]",
  }),
];
const serve = () => {
  server.use(http.get("*/api/templates", () => HttpResponse.json({ templates: list })));
};
const routes = [
  { path: "/app/templates", element: <TemplatesPage /> },
  { path: "/app/templates/:id", element: <TemplatePage /> },
  { path: "/app/drafts/:id", element: <p>the draft</p> },
];
const titles = () =>
  within(screen.getByRole("list"))
    .getAllByRole("link")
    .map((link) => link.textContent);

describe("the list of templates", () => {
  it("has all at first, and narrows by category and by words", async () => {
    serve();
    const { user } = renderRoutes(routes, "/app/templates");
    const category = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Category" });
    expect([...category.options].map(({ text }) => text)).toEqual([
      "All",
      "Agreements",
      "Applications",
      "Replies to notices",
    ]);
    expect(category.value).toBe("");
    expect(titles()).toEqual(["Request for adjournment", "Reply under section 73", "Rent agreement"]);
    await user.selectOptions(category, "Agreements");
    expect(titles()).toEqual(["Rent agreement"]);
    await user.selectOptions(category, "All");
    await user.type(screen.getByRole("searchbox"), "landlord BETWEEN");
    expect(titles()).toEqual(["Rent agreement"]);
    await user.type(screen.getByRole("searchbox"), " nowhere");
    expect(screen.getByRole("status").textContent).toBe("No matching templates.");
  });

  it("says that it failed, and is asked for again", async () => {
    server.use(http.get("*/api/templates", () => problem(400, "broken", "The prompts cannot be read.")));
    const { user } = renderRoutes(routes, "/app/templates");
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to load templates");
    expect(screen.getByText("The prompts cannot be read.")).toBeTruthy();
    serve();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Rent agreement" })).toBeTruthy();
  });
});

describe("a template", () => {
  it("begins a draft with what is known of a notice, those that it answers first", async () => {
    serve();
    const sent: unknown[] = [];
    server.use(
      http.get("*/api/notices", () =>
        HttpResponse.json(
          notices([
            notice({ id: "other", title: "Letter", form: "ASMT-10" }),
            notice({ title: "DRC-01 · Asha", form: "DRC-01" }),
          ]),
        ),
      ),
      http.post("*/api/drafts", async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ id: "d1" }, { status: 201 });
      }),
    );
    const { user } = renderRoutes(routes, "/app/templates/drc06");
    expect(await screen.findByRole("heading", { name: "Reply under section 73" })).toBeTruthy();
    const from = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Fill in from" });
    expect([...from.options].map(({ text }) => text)).toEqual([
      "No notice: leave the blanks empty",
      "DRC-01 · Asha",
      "Letter",
    ]);
    await user.selectOptions(from, "DRC-01 · Asha");
    await user.click(screen.getByRole("button", { name: "Use this template" }));
    await screen.findByText("the draft");
    expect(sent).toEqual([{ template: "drc06", conversation: conversation.id }]);
  });

  it("begins an empty one where there is no notice, and says when it cannot", async () => {
    serve();
    const sent: unknown[] = [];
    const keys: (string | null)[] = [];
    server.use(
      http.post("*/api/drafts", async ({ request }) => {
        sent.push(await request.json());
        keys.push(request.headers.get("Idempotency-Key"));
        return problem(404, "no_template", "This template is not here any more.");
      }),
    );
    const { user } = renderRoutes(routes, "/app/templates/rent");
    await user.click(await screen.findByRole("button", { name: "Use this template" }));
    expect((await screen.findByRole("alert")).textContent).toBe("This template is not here any more.");
    expect(sent).toEqual([{ template: "rent" }]);
    await user.click(screen.getByRole("button", { name: "Use this template" }));
    await waitFor(() => {
      expect(keys).toHaveLength(2);
    });
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]); // it is the same action
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  it("says when it is not there", async () => {
    serve();
    renderRoutes(routes, "/app/templates/gone");
    expect(await screen.findByRole("heading", { name: "This template could not be found" })).toBeTruthy();
  });
});
