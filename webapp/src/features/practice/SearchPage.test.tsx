import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { server } from "@test/server";
import type { FoundText } from "@/lib/api";
import { SearchPage } from "./SearchPage";

const id = (n: number) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`;

const notice: FoundText = {
  kind: "document",
  id: id(1),
  title: "notice.pdf",
  notice: true,
  paper: id(2),
  form: "DRC-01",
  reference: "ZD2701",
  matter: id(3),
  client: { id: id(4), name: "Kaveri Textiles" },
  page: 2,
  excerpt: "… व्यक्तिगत सुनवाई is on Monday …",
  at: "2026-05-12T10:00:00Z",
};

function show(at: string) {
  const asked: string[] = [];
  server.use(
    http.get("*/api/search", ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const found = [
        notice,
        { ...notice, id: id(5), title: "Ledger.pdf", notice: false, form: null, reference: null },
        { ...notice, id: id(6), kind: "draft", title: "Reply", page: 0 },
      ];
      return HttpResponse.json(
        searchParams.get("text") === "nothing"
          ? { found: [], words: ["nothing"], total: 0 }
          : { found, words: ["सुनवाई"], total: 3 },
      );
    }),
  );
  return { ...renderRoutes([{ path: "/app/practice/search", element: <SearchPage /> }], at), asked };
}

it("leads to the page of a paper, and to a draft, and marks the words", async () => {
  show("/app/practice/search?text=सुनवाई");
  const links = await screen.findAllByRole("link", { name: /Kaveri Textiles ·/ });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    `/app/notices/${id(2)}?page=2`,
    `/app/notices/${id(2)}?page=2&document=${id(5)}`,
    `/app/drafts/${id(6)}`,
  ]);
  expect(document.querySelector("mark")?.textContent).toBe("सुनवाई");
  expect(screen.getByRole("status").textContent).toContain("3 found");
});

it("keeps what is looked for in the address, asks for drafts alone, and says when there is nothing", async () => {
  const { user, asked } = show("/app/practice/search");
  await user.type(screen.getByLabelText("Words in notices, documents and drafts"), "nothing");
  expect(await screen.findByText("Nothing contains all these words.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Drafts" }));
  await waitFor(() => {
    expect(asked.at(-1)).toContain("kind=draft");
  });
  expect(asked.at(-1)).toContain("text=nothing");
});
