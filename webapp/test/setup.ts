import i18next from "i18next";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { client } from "@/lib/api/generated/client.gen";
import { startTexts } from "@/lib/i18n";
import { FakeEventSource } from "./events";
import { server } from "./server";

// Timers end with the page, as in a browser. Node's would run on when the page of a test file is gone: what an editor
// still had to do then would find no document, and end the whole run.
const timers = new Set<ReturnType<typeof setTimeout>>();
const startTimer = globalThis.setTimeout;
vi.stubGlobal("setTimeout", (...of: Parameters<typeof startTimer>) => {
  const timer = startTimer(...of);
  timers.add(timer);
  return timer;
});
// A machine that is busy with other tests is no failure.
configure({ asyncUtilTimeout: 30_000 });
// What a browser has and jsdom lacks.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
);
vi.stubGlobal("EventSource", FakeEventSource);
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: query.includes("min-width"),
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
// Node's Request knows no page to be relative to.
client.setConfig({ baseUrl: window.location.origin });

/** Requests that no handler expects. The app would take the refusal for a server that is away. */
let unexpected: string[] = [];

beforeAll(async () => {
  server.listen({
    onUnhandledRequest: (request, { error }) => {
      unexpected.push(`${request.method} ${request.url}`);
      error();
    },
  });
  await startTexts();
  // a test waits for no texts
  await i18next.loadNamespaces([
    "authorities",
    "billing",
    "draft",
    "drafting",
    "drafts",
    "figures",
    "firm",
    "law",
    "notices",
    "operators",
    "practice",
    "privacy",
    "reply",
    "summary",
    "training",
  ]);
});
afterEach(() => {
  cleanup();
  toast.dismiss(); // the next page would show what this one said
  server.resetHandlers();
  FakeEventSource.opened = [];
  sessionStorage.clear();
  localStorage.clear();
  const requests = unexpected;
  unexpected = [];
  expect(requests, "requests that no handler expects").toEqual([]);
});
afterAll(() => {
  server.close();
  timers.forEach((timer) => {
    clearTimeout(timer);
  });
  vi.unstubAllGlobals(); // the next file of this worker sets its own
});
