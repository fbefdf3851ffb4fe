import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useEffect, useRef, useState } from "react";
import { http, HttpResponse } from "msw";
import { Toaster } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderElement } from "@test/render";
import { server, turn } from "@test/server";
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

it("offers a draft without the model where a reply waits for one", () => {
  renderElement(
    <OfflineOffer turn={turn({ kind: "reply", steps: [{ ...step, kind: "draft" }] })} onTaken={() => undefined} />,
  );
  pass(20);
  expect(screen.getByRole("button", { name: "Draft without the model" })).toBeTruthy();
  expect(screen.getByRole("status").textContent).toContain("in the program's own words");
});

it("offers nothing while no model is asked", () => {
  renderElement(<OfflineOffer turn={turn({ steps: [{ ...step, kind: "extract" }] })} onTaken={() => undefined} />);
  pass(60);
  expect(screen.queryByRole("button")).toBeNull();
});

let next: (now: { step: Step; written: number }) => void;

function Host() {
  const [now, setNow] = useState<{ step: Step; written: number }>({ step, written: 0 });
  useEffect(() => {
    next = setNow;
  }, []);
  const box = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <OfflineOffer
        turn={turn({ steps: [now.step] })}
        written={now.written}
        onTaken={() => {
          box.current?.focus();
        }}
      />
      <textarea ref={box} />
      <Toaster />
    </>
  );
}

it("tells after 20 s without an answer, however often it was asked again, and not while text comes", () => {
  renderElement(<Host />);
  const status = screen.getByRole("status"); // present before its words, so that screen readers announce them
  expect(status.textContent).toBe("");
  pass(19);
  expect(screen.queryByRole("button")).toBeNull();
  act(() => {
    next({ step: { ...step, note: "Asking again." }, written: 0 });
  });
  pass(2);
  expect(screen.getByRole("button", { name: "Use the offline answer" })).toBeTruthy();
  expect(status.textContent).toContain("has not answered for 20 seconds");
  expect(within(status).queryByRole("button")).toBeNull();
  act(() => {
    next({ step, written: 12 });
  });
  expect(screen.queryByRole("button")).toBeNull();
});

it("is not offered while a document is read", () => {
  renderElement(<Host />);
  act(() => {
    next({ step: { ...step, id: "extract", kind: "extract" }, written: 0 });
  });
  pass(60);
  expect(screen.queryByRole("button")).toBeNull();
});

/** Shows the offer with the machine's real time and a server that answers the request for an offline answer. */
function offer(answer: () => HttpResponse<null>) {
  server.use(http.post("*/api/turns/:id/offline", answer));
  renderElement(<Host />);
  pass(21);
  vi.useRealTimers();
  const button = screen.getByRole("button", { name: "Use the offline answer" });
  button.focus();
  fireEvent.click(button);
  return button;
}

it("leads on to the box once it is taken", async () => {
  offer(() => new HttpResponse(null, { status: 202 }));
  await waitFor(() => {
    expect(screen.queryByRole("button", { name: "Use the offline answer" })).toBeNull();
  });
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
  expect(screen.getByRole("status").textContent).toBe("");
});

it("says that it could not be asked for, and can be asked for again", async () => {
  let asked = 0;
  const button = offer(() => {
    asked += 1;
    return new HttpResponse(null, { status: 500 });
  });
  expect(await screen.findByText("The offline answer could not be requested. Please try again.")).toBeTruthy();
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  await waitFor(() => {
    expect(asked).toBe(2);
  });
});
