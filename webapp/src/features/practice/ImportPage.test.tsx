import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { server } from "@test/server";
import type { RegisterImport, RegisterLine } from "@/lib/api";
import { ImportPage } from "./ImportPage";

const id = (n: number) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`;

const line: RegisterLine = {
  row: 2,
  what: "new_client",
  client: "Nandi Foods",
  gstin: "",
  form: "ASMT-10",
  reference: "ZD290924009988D",
  issued: "2024-09-02",
  due: "2024-10-02",
  why: [],
  matter: null,
};

const found: RegisterImport = {
  id: id(1),
  name: "register.xlsx",
  sheet: "2024",
  others: ["2023"],
  columns: [
    { place: 0, heading: "Client", samples: ["Nandi Foods"], value: "client" },
    { place: 1, heading: "Last date", samples: ["2024-10-02"], value: "" },
  ],
  values: ["client", "due", "issued"],
  counts: { new_client: 1, unclear: 1 },
  rows: [line, { ...line, row: 3, what: "unclear", client: "", why: [{ en: "This row has no client.", code: "" }] }],
  total: 2,
  begun: false,
  taken: 0,
  done: false,
};

function show() {
  const sent: unknown[] = [];
  let now = found;
  server.use(
    http.post("*/api/register/imports", () => HttpResponse.json(found, { status: 201 })),
    http.get("*/api/register/imports/:id", () => HttpResponse.json(now)),
    http.post("*/api/register/imports/:id/columns", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(now);
    }),
    http.post("*/api/register/imports/:id/confirm", async ({ request }) => {
      sent.push(await request.json());
      now = { ...found, begun: true, done: sent.length > 2, taken: 2 };
      return HttpResponse.json(now);
    }),
  );
  return { ...renderRoutes([{ path: "/app/practice/import", element: <ImportPage /> }], "/app/practice/import"), sent };
}

it("shows what each row comes to, lets columns be corrected, and imports only once confirmed", async () => {
  const { user, sent } = show();
  await user.upload(await screen.findByTestId("register-input"), new File(["x"], "register.xlsx"));
  expect(
    await screen.findByText("Not read: 2023. To import these too, save each one as a separate file."),
  ).toBeTruthy();
  expect(screen.getByText("This row has no client.")).toBeTruthy();
  expect(sent).toEqual([]);
  await user.selectOptions(screen.getByLabelText(/^Last date/), "due");
  await waitFor(() => {
    expect(sent).toEqual([{ columns: { client: 0, due: 1 } }]);
  });
  await user.click(await screen.findByRole("checkbox", { name: "Leave out row 2" }));
  expect(screen.getByText("There is nothing new to import.")).toBeTruthy();
  await user.click(screen.getByRole("checkbox", { name: "Leave out row 2" }));
  await user.click(screen.getByRole("button", { name: "Import 1 row" }));
  expect(await screen.findByText("The register has been imported.")).toBeTruthy();
  expect(sent.slice(1)).toEqual([{ leave: [] }, { leave: [] }]);
  expect(within(screen.getByRole("list", { name: "Result for each row" })).getByText("Not imported (1)")).toBeTruthy();
});
