import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeEventSource } from "@test/events";
import { turn } from "@test/server";
import { conversationQueryKey, createQueryClient, type Turn } from "@/lib/api";
import { useLiveTurn } from "./useLiveTurn";

const id = "11111111-1111-4111-8111-111111111111";

function follow(first: Turn | null) {
  const queries: QueryClient = createQueryClient();
  const refreshed = vi.spyOn(queries, "invalidateQueries").mockResolvedValue();
  const hook = renderHook(({ stored }: { stored: Turn | null }) => useLiveTurn(id, stored), {
    initialProps: { stored: first },
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  return { ...hook, refreshed };
}

const event = (name: string, data: unknown) => {
  act(() => {
    FakeEventSource.latest().send(name, data);
  });
};

const pass = (milliseconds: number) => {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
};

function setVisible(visible: boolean) {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(visible ? "visible" : "hidden");
  act(() => {
    document.dispatchEvent(new Event("visibilitychange"));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("following a turn", () => {
  it("opens no stream without a turn at work", () => {
    follow(turn({ state: "answered" }));
    expect(FakeEventSource.opened).toHaveLength(0);
  });

  it("gives the text as it is written", () => {
    const { result } = follow(turn());
    event("snapshot", { turn: turn(), text: "So " });
    event("text", { turn_id: turn().id, text: "far" });
    expect(result.current).toMatchObject({ text: "So far", link: "open" });
    expect(FakeEventSource.latest().url).toBe(`/api/conversations/${id}/events`);
  });

  it("closes and reads the conversation again when the turn ends, keeping the text until it is there", () => {
    const { result, rerender, refreshed } = follow(turn());
    event("snapshot", { turn: turn(), text: "The answer" });
    event("turn", { turn: turn({ state: "answered" }) });
    expect(FakeEventSource.latest().readyState).toBe(FakeEventSource.CLOSED);
    expect(refreshed).toHaveBeenCalledWith({ queryKey: conversationQueryKey(id) });
    expect(result.current.text).toBe("The answer");
    rerender({ stored: turn({ state: "answered" }) });
    expect(result.current).toMatchObject({ text: "", turn: null, link: "closed" });
  });

  it("reads the conversation again when a step has finished, since it may have stored facts", () => {
    const step = { id: "facts", kind: "facts", title: "Facts", note: "", done: 0, total: 0 };
    const { refreshed } = follow(turn());
    event("snapshot", { turn: turn({ steps: [{ ...step, state: "running" }] }), text: "" });
    expect(refreshed).not.toHaveBeenCalled();
    event("turn", { turn: turn({ steps: [{ ...step, state: "done" }] }) });
    expect(refreshed).toHaveBeenCalledWith({ queryKey: conversationQueryKey(id) });
  });

  it("lets go of the stream while the tab is hidden and takes it up again", () => {
    const { result } = follow(turn());
    event("snapshot", { turn: turn(), text: "Before" });
    setVisible(false);
    expect(FakeEventSource.latest().readyState).toBe(FakeEventSource.CLOSED);
    setVisible(true);
    expect(FakeEventSource.opened).toHaveLength(2);
    event("snapshot", { turn: turn(), text: "Before and after" });
    expect(result.current.text).toBe("Before and after");
  });

  it("says that the line is lost, and leaves the first attempt to the browser", () => {
    const { result } = follow(turn());
    event("snapshot", { turn: turn(), text: "Kept" });
    act(() => {
      FakeEventSource.latest().break(false);
    });
    expect(result.current).toMatchObject({ link: "lost", text: "Kept" });
    expect(FakeEventSource.opened).toHaveLength(1);
    act(() => {
      FakeEventSource.latest().open();
    });
    expect(result.current.link).toBe("open");
  });

  it("opens the stream anew when the browser has given up, and asks the store meanwhile", () => {
    const { result, refreshed } = follow(turn());
    act(() => {
      FakeEventSource.latest().break(true);
    });
    expect(result.current.link).toBe("lost");
    pass(1_000);
    expect(FakeEventSource.opened).toHaveLength(2);
    act(() => {
      FakeEventSource.latest().break(true);
    });
    pass(1_000);
    expect(FakeEventSource.opened).toHaveLength(2); // the pause grows
    pass(2_000);
    expect(FakeEventSource.opened).toHaveLength(3);
    expect(refreshed).toHaveBeenCalled();
  });

  it("does not trust a line that has gone silent", () => {
    follow(turn());
    event("snapshot", { turn: turn(), text: "" });
    pass(44_000);
    event("ping", {});
    pass(44_000);
    expect(FakeEventSource.opened).toHaveLength(1);
    pass(3_000);
    expect(FakeEventSource.opened).toHaveLength(2);
  });
});
