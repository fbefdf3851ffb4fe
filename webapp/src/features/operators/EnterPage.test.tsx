import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { problem, server } from "@test/server";
import { EnterPage } from "./EnterPage";

const show = (query: string) =>
  renderRoutes(
    [
      { path: "/operator", element: <EnterPage /> },
      { path: "/app/operators", element: <p>the app</p> },
    ],
    `/operator${query}`,
  );

it("takes the key to the server only when asked to, and forgets it", async () => {
  const keys: unknown[] = [];
  server.use(
    http.post("*/api/operator", async ({ request }) => {
      keys.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user, router } = show("?key=abc");
  const button = await screen.findByRole("button", { name: "Become an operator" });
  expect(keys).toEqual([]);
  await user.click(button);
  await screen.findByText("the app");
  expect(keys).toEqual([{ key: "abc" }]);
  expect(router.state.location.search).toBe("");
});

it("says why a link does not work", async () => {
  server.use(http.post("*/api/operator", () => problem(404, "not_found", "This link was used already.")));
  const { user } = show("?key=old");
  await user.click(await screen.findByRole("button", { name: "Become an operator" }));
  expect((await screen.findByRole("alert")).textContent).toBe("This link was used already.");
});

it("asks for a new link where the key is missing", async () => {
  show("");
  expect((await screen.findByRole("alert")).textContent).toContain("munshi operator link");
  expect(screen.queryByRole("button")).toBeNull();
});
