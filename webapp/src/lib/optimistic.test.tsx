import { useQuery } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { Toaster } from "sonner";
import { beforeEach, expect, it, vi } from "vitest";
import { renderElement } from "@test/render";
import { hold, me, problem, server } from "@test/server";
import { meOptions, wantMail } from "@/lib/api";
import { useOptimistic } from "./optimistic";

/** The value on the server. */
let kept = false;

function Mail() {
  const { data } = useQuery(meOptions());
  const { queryKey } = meOptions();
  const { mutate } = useOptimistic({
    keys: [queryKey],
    show: (queries, mail: boolean) => {
      queries.setQueryData(queryKey, (old) => old && { ...old, mail });
    },
    save: (wanted) => wantMail({ body: { wanted }, throwOnError: true }),
    failed: "This could not be saved.",
  });
  if (data === undefined) return null;
  return (
    <label>
      <input
        type="checkbox"
        checked={data.mail}
        onChange={({ target }) => {
          mutate(target.checked);
        }}
      />
      Mail
    </label>
  );
}

async function show() {
  renderElement(
    <>
      <Mail />
      <Toaster />
    </>,
  );
  return screen.findByRole<HTMLInputElement>("checkbox");
}

/** Clicks, and waits for promises, but not for timers. */
async function click(element: HTMLElement) {
  fireEvent.click(element);
  await act(() => Promise.resolve());
}

beforeEach(() => {
  kept = false;
  server.use(http.get("*/api/me", () => HttpResponse.json({ ...me, mail: kept })));
});

it("shows what was chosen before any timer runs, and before the server has answered", async () => {
  const { answer, sent } = hold("*/api/me/mail");
  const box = await show();
  vi.useFakeTimers();
  try {
    await click(box);
    expect(box.checked).toBe(true);
  } finally {
    vi.useRealTimers();
  }
  kept = true;
  await answer(new Response(null, { status: 204 }));
  await waitFor(() => {
    expect(sent).toEqual([{ wanted: true }]);
  });
  expect(box.checked).toBe(true);
});

it("takes it back where it cannot be saved, and says so", async () => {
  const { answer } = hold("*/api/me/mail");
  const box = await show();
  await click(box);
  expect(box.checked).toBe(true);
  await answer(HttpResponse.json({}, { status: 500 }));
  expect(await screen.findByText("This could not be saved.")).toBeTruthy();
  expect(box.checked).toBe(false);
});

it("says what the server says", async () => {
  const { answer } = hold("*/api/me/mail");
  await click(await show());
  await answer(problem(409, "no_mail", "This server sends no mail."));
  expect(await screen.findByText("This server sends no mail.")).toBeTruthy();
});

it("saves one choice after the other, and shows the last one all the while", async () => {
  const { answer, sent } = hold("*/api/me/mail");
  const box = await show();
  const seen: boolean[] = [];
  await click(box);
  await click(box);
  expect(box.checked).toBe(false);
  await waitFor(() => {
    expect(sent).toEqual([{ wanted: true }]);
  });
  kept = true; // it must not be shown, since the person has chosen another value
  await answer(new Response(null, { status: 204 }));
  await waitFor(() => {
    seen.push(box.checked);
    expect(sent).toEqual([{ wanted: true }, { wanted: false }]);
  });
  kept = false;
  await answer(new Response(null, { status: 204 }));
  expect(seen).not.toContain(true);
  expect(box.checked).toBe(false);
});
