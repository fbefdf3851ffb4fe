import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { conversationOptions, createQueryClient, figuresOptions, type FigureQuery } from "@/lib/api";
import type { ConversationView } from "@/parts/conversation";
import { detail, server } from "@test/server";
import { useDocuments, useFigures } from "./useFigures";

it("shows a list as it is after a class was given, also if it was being loaded then", async () => {
  let given = false;
  const slow: (() => void)[] = [];
  server.use(
    http.get("*/api/conversations/:id/figures/entries", async () => {
      const total = given ? 7 : 6; // as of the request, not of the answer
      if (!given) await new Promise<void>((resolve) => slow.push(resolve));
      return HttpResponse.json({ entries: [], total });
    }),
    http.post("*/api/conversations/:id/figures/class", () => {
      given = true;
      return HttpResponse.json({});
    }),
  );
  const queries = createQueryClient();
  const by: FigureQuery = { what: "", class: "other_month", sort: "", q: "", skip: 0, most: 50 };
  const hook = renderHook(() => useDocuments("c", by), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  await waitFor(() => {
    expect(slow).toHaveLength(1);
  });
  hook.result.current.give.mutate({ record: "r", class: "other_month" });
  await waitFor(() => {
    expect(queries.getQueryData(figuresOptions("c").queryKey)).toBeDefined();
  });
  slow.forEach((answer) => {
    answer();
  });
  await waitFor(() => {
    expect(hook.result.current.query.data?.total).toBe(7);
  });
  queries.clear();
});

it("shows the files as they are after the conversation changed, also if they were being loaded for the first time then", async () => {
  let changed = false;
  const slow: (() => void)[] = [];
  server.use(
    http.get("*/api/conversations/:id", () => HttpResponse.json(detail())),
    http.get("*/api/conversations/:id/figures", async () => {
      const files = changed ? ["3b.json"] : []; // read when it was asked for
      if (!changed) await new Promise<void>((resolve) => slow.push(resolve));
      return HttpResponse.json({ files });
    }),
  );
  const queries = createQueryClient();
  queries.setQueryData(conversationOptions("c").queryKey, detail());
  const hook = renderHook(() => useFigures("c", { accept: () => undefined } as unknown as ConversationView), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  await waitFor(() => {
    expect(slow).toHaveLength(1);
  });
  changed = true;
  act(() => {
    queries.setQueryData(conversationOptions("c").queryKey, detail({ title: "Another" }));
  });
  slow.forEach((answer) => {
    answer();
  });
  await waitFor(() => {
    expect(hook.result.current.query.data?.files).toEqual(["3b.json"]);
  });
  queries.clear();
});
