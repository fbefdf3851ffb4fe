import { screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { server } from "@test/server";
import { WorkloadPage } from "./WorkloadPage";

const id = (n: number) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`;

it("shows who answers for how much, and what is demanded by client and year", async () => {
  const load = { matters: 2, overdue: 1, undated: 0, week: 1, month: 3, hearings: 1, to_review: 4, demand_paise: 100 };
  const year = { first_year: "2020-21", last_year: "2020-21", matters: 2, demand_paise: 50_000_000 };
  server.use(
    http.get("*/api/workload", () =>
      HttpResponse.json({
        people: [
          { member: null, ...load },
          { member: { id: id(1), name: "Asha Rao" }, ...load },
        ],
      }),
    ),
    http.get("*/api/exposure", () =>
      HttpResponse.json({
        years: [year, { ...year, first_year: null, last_year: null }],
        clients: [
          { client: { id: id(2), name: "Kaveri Textiles" }, matters: 2, demand_paise: 50_000_000, years: [year] },
        ],
        total: 1,
      }),
    ),
  );
  renderRoutes([{ path: "/app/practice/workload", element: <WorkloadPage /> }], "/app/practice/workload");
  const people = await screen.findByRole("group", { name: "By person" });
  expect(within(people).getByRole("link", { name: "Nobody" }).getAttribute("href")).toBe(
    "/app/practice/board?assignee=nobody",
  );
  expect(within(people).getByRole("link", { name: "Asha Rao" })).toBeTruthy();
  const clients = await screen.findByRole("group", { name: "By client" });
  expect(within(clients).getByRole("row", { name: /Kaveri Textiles 2 ₹5,00,000 2020-21/ })).toBeTruthy();
  expect(screen.getByText("Year not known")).toBeTruthy();
});
