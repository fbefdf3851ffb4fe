import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it, test } from "vitest";
import { renderElement } from "@test/render";
import { problem, server } from "@test/server";
import type { DraftLine } from "@/lib/api";
import { plain } from "./DraftList";
import { DraftsPage } from "./DraftsPage";

const at = "2025-05-12T10:00:00Z";
const line = (n: number): DraftLine => ({
  id: `44444444-4444-4444-8444-00000000000${String(n)}`,
  kind: "reply",
  title: `Reply ${String(n)}`,
  beginning: "# REPLY\n\n**Before** the officer",
  conversation_id: null,
  version: 1,
  state: "",
  created_at: at,
  updated_at: at,
});

it("lists the drafts page by page, with how they begin", async () => {
  server.use(
    http.get("*/api/drafts", ({ request }) => {
      const skip = Number(new URL(request.url).searchParams.get("skip") ?? 0);
      return HttpResponse.json(skip === 0 ? { drafts: [line(1)], next: 50 } : { drafts: [line(2)], next: 0 });
    }),
  );
  const { user } = renderElement(<DraftsPage />);
  expect((await screen.findByRole("link", { name: "Reply 1" })).getAttribute("href")).toBe(`/app/drafts/${line(1).id}`);
  expect(screen.getByText("REPLY Before the officer")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByRole("link", { name: "Reply 2" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

it("searches at the server", async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get("*/api/drafts", ({ request }) => {
      const search = new URL(request.url).searchParams.get("search");
      asked.push(search);
      return HttpResponse.json({ drafts: search === "zebra" ? [] : [line(1)], next: 0 });
    }),
  );
  const { user } = renderElement(<DraftsPage />);
  await screen.findByRole("link", { name: "Reply 1" });
  await user.type(screen.getByRole("searchbox"), "zebra");
  expect(await screen.findByText("No matching drafts.")).toBeTruthy();
  expect(asked).toContain("zebra");
});

it("says that they could not be loaded, and tries again", async () => {
  let down = true;
  server.use(
    http.get("*/api/drafts", () =>
      down ? problem(422, "broken", "The store is away.") : HttpResponse.json({ drafts: [line(1)], next: 0 }),
    ),
  );
  const { user } = renderElement(<DraftsPage />);
  expect((await screen.findByRole("alert")).textContent).toBe("Failed to load drafts");
  expect(screen.getByText("The store is away.")).toBeTruthy();
  down = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Reply 1" })).toBeTruthy();
});

it("deletes a draft", async () => {
  let there = true;
  server.use(
    http.get("*/api/drafts", () => HttpResponse.json({ drafts: there ? [line(1)] : [], next: 0 })),
    http.delete("*/api/drafts/:id", () => {
      there = false;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = renderElement(<DraftsPage />);
  await user.click(await screen.findByRole("button", { name: "Delete: Reply 1" }));
  await waitFor(() => {
    expect(screen.queryByRole("link", { name: "Reply 1" })).toBeNull();
  });
});

test("a beginning is read without the signs of Markdown", () => {
  expect(
    plain("# REPLY\n\n**FORM** (rule 142(4))\n\n| a | b |\n| --- | --- |\n| 1 | […] |\n\n> “Quoted”\n\n1. one"),
  ).toBe("REPLY FORM (rule 142(4)) a b 1 […] “Quoted” one");
});
