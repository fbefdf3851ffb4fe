import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it, vi } from "vitest";
import { renderElement } from "@test/render";
import { me, server } from "@test/server";
import type { Acting } from "@/lib/api";
import { WorkFields, Works } from "./works";

vi.mock("@/lib/place", async (original) => ({ ...(await original<object>()), firmHere: "a firm" }));
vi.mock("./place", async (original) => ({ ...(await original<object>()), firmHere: "a firm" }));

const page = (rights: Acting["rights"]) => {
  const acting: Acting = { id: "a firm", name: "Rao & Co", called: "Asha", member: "m", role: "viewer", rights };
  server.use(http.get("*/api/me", () => HttpResponse.json({ ...me, acting })));
  renderElement(
    <>
      <Works>
        <p>Delete</p>
      </Works>
      <WorkFields>
        <button>Admit</button>
      </WorkFields>
    </>,
  );
};

it("whoever may only read sees no way to change a paper", async () => {
  page(["see"]);
  await waitFor(() => {
    expect(screen.getByRole("button", { name: "Admit" }).closest("fieldset")?.disabled).toBe(true);
  });
  expect(screen.queryByText("Delete")).toBeNull();
});

it("whoever works on papers has them", async () => {
  page(["see", "work"]);
  expect(await screen.findByText("Delete")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Admit" }).closest("fieldset")?.disabled).toBe(false);
});
