import i18next from "i18next";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { afterEach, expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { problem, server } from "@test/server";
import type { LinkInterview, LinkQuestion } from "@/lib/api";
import { AskedPage } from "./AskedPage";

const routes = [{ path: "/app/asked", element: <AskedPage /> }];

const token = "A".repeat(52);
const question: LinkQuestion = {
  key: "earlier",
  kind: "words",
  text: { en: "Were there earlier papers?" },
  why: { en: "The brief facts tell of them." },
  places: [""],
  options: [],
  answered: false,
};

/** The server's data of a link, and what was sent to it; while the connection is down nothing arrives. */
function linked(shown: Partial<LinkInterview> = {}) {
  const store = {
    down: false,
    said: [] as unknown[],
    shown: { language: "en", expires: "2026-12-03T10:00:00Z", questions: [question], papers: [], ...shown },
  };
  server.use(
    http.get("*/api/link", ({ request }) =>
      request.headers.get("Munshi-Link") === token
        ? HttpResponse.json(store.shown)
        : problem(404, "link_over", "This link no longer works."),
    ),
    http.post("*/api/link/answers", async ({ request }) => {
      if (store.down) return HttpResponse.error();
      store.said.push(await request.json());
      store.shown = {
        ...store.shown,
        questions: (store.shown.questions ?? []).map((one) => ({ ...one, answered: true })),
      };
      return HttpResponse.json(store.shown);
    }),
  );
  return store;
}

afterEach(async () => {
  localStorage.clear();
  await i18next.changeLanguage("en");
});

it("keeps what was typed while there is no line, also when the page is opened anew, and sends it once there is one", async () => {
  const store = linked();
  store.down = true;
  const first = renderRoutes(routes, `/app/asked#${token}`);
  await first.user.type(await screen.findByRole("textbox"), "A letter of May");
  expect(await screen.findByText(/No connection/, undefined, { timeout: 4_000 })).toBeTruthy();
  cleanup();

  renderRoutes(routes, `/app/asked#${token}`);
  expect(await screen.findByDisplayValue("A letter of May")).toBeTruthy();
  store.down = false;
  window.dispatchEvent(new Event("online"));
  expect(await screen.findByText("Sent", undefined, { timeout: 4_000 })).toBeTruthy();
  expect(store.said).toEqual([{ key: "earlier", holds: "", words: ["A letter of May"], unknown: false }]);
  expect(screen.getByText("1 of 1 answered")).toBeTruthy();
});

it("tells in another browser that a question was answered, and not what", async () => {
  linked({ questions: [{ ...question, answered: true }] });
  renderRoutes(routes, `/app/asked#${token}`);
  expect(await screen.findByText("Sent")).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("");
});

it("leaves nothing of the answers in the browser once the link is over", async () => {
  const place = `munshi.asked.${"B".repeat(12)}`;
  localStorage.setItem(place, JSON.stringify({ earlier: { answer: { words: ["A letter of May"] }, sent: true } }));
  linked();
  renderRoutes(routes, `/app/asked#${"B".repeat(52)}`);
  expect(await screen.findByRole("alert")).toBeTruthy();
  await waitFor(() => {
    expect(localStorage.getItem(place)).toBeNull();
  });
});

it.each(["", "#wrong"])("says that a link no longer works: %j", async (hash) => {
  linked();
  renderRoutes(routes, `/app/asked${hash}`);
  expect(await screen.findByRole("alert")).toHaveProperty("textContent", expect.stringContaining("no longer works"));
  await waitFor(() => {
    expect(screen.queryByRole("textbox")).toBeNull();
  });
});

it("speaks the language that the link was made in", async () => {
  linked({ language: "hi" });
  renderRoutes(routes, `/app/asked#${token}`);
  expect(await screen.findByRole("heading", { name: "आपके GST नोटिस के बारे में सवाल" })).toBeTruthy();
});

it("says in the language of its address that a link no longer works", async () => {
  linked();
  renderRoutes(routes, "/app/asked?language=hi#wrong");
  await waitFor(() => {
    expect(screen.getByRole("alert").textContent).toContain("यह लिंक अब काम नहीं करता");
  });
});
