import { act, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderElement } from "@test/render";
import { turn } from "@test/server";
import type { Step } from "@/lib/api";
import { OfflineOffer } from "./OfflineOffer";

const step = {
  id: "prompt",
  kind: "prompt",
  title: "Analysing",
  state: "running" as const,
  note: "",
  done: 0,
  total: 0,
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (seconds: number) => {
  act(() => {
    vi.advanceTimersByTime(seconds * 1000);
  });
};

let next: (now: { step: Step; written: number }) => void;

function Host() {
  const [now, setNow] = useState<{ step: Step; written: number }>({ step, written: 0 });
  useEffect(() => {
    next = setNow;
  }, []);
  return <OfflineOffer turn={turn({ steps: [now.step] })} written={now.written} />;
}

it("tells after 20 s without an answer, however often it was asked again, and not while text comes", () => {
  renderElement(<Host />);
  pass(19);
  expect(screen.queryByRole("button")).toBeNull();
  act(() => {
    next({ step: { ...step, note: "Asking again." }, written: 0 });
  });
  pass(2);
  expect(screen.getByRole("button", { name: "Take the offline answer" })).toBeTruthy();
  expect(screen.getByRole("status").textContent).toContain("no answer for 20 seconds");
  act(() => {
    next({ step, written: 12 });
  });
  expect(screen.queryByRole("button")).toBeNull();
});

it("is not offered while a document is read", () => {
  renderElement(<OfflineOffer turn={turn({ steps: [{ ...step, id: "extract", kind: "extract" }] })} written={0} />);
  pass(60);
  expect(screen.queryByRole("button")).toBeNull();
});
