import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderElement } from "@test/render";
import { me, server } from "@test/server";
import type { Acting } from "@/lib/api";
import { useWorks } from "./works";

const Page = ({ firm }: { firm: string | null }) => <p>{useWorks(firm) ? "may change it" : "may read it"}</p>;

const member = (rights: Acting["rights"]) => {
  const acting: Acting = { id: "a firm", name: "Rao & Co", called: "Asha", member: "m", role: "viewer", rights };
  server.use(http.get("*/api/me", () => HttpResponse.json({ ...me, acting })));
};

it("whoever only reads in a firm may change no paper", async () => {
  member(["see"]);
  renderElement(<Page firm="a firm" />);
  await expect(screen.findByText("may change it", {}, { timeout: 300 })).rejects.toThrow();
  expect(screen.getByText("may read it")).toBeTruthy();
});

it("whoever works on papers there may", async () => {
  member(["see", "work"]);
  renderElement(<Page firm="a firm" />);
  expect(await screen.findByText("may change it")).toBeTruthy();
});

it("in their own workspace everybody may, and nothing is asked", () => {
  renderElement(<Page firm={null} />);
  expect(screen.getByText("may change it")).toBeTruthy();
});
