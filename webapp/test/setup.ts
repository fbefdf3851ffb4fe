import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { client } from "@/lib/api/generated/client.gen";
import { startTexts } from "@/lib/i18n";
import { FakeEventSource } from "./events";
import { server } from "./server";

// A machine that is busy with other tests is no failure.
configure({ asyncUtilTimeout: 10_000 });
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

beforeAll(async () => {
  server.listen({ onUnhandledRequest: "error" });
  await startTexts();
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
  FakeEventSource.opened = [];
  sessionStorage.clear();
  localStorage.clear();
});
afterAll(() => {
  server.close();
});
