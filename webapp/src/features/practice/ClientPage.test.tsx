import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { server } from "@test/server";
import type { Client, ListedNotice, PortalSeen } from "@/lib/api";
import { ClientPage } from "./ClientPage";

const id = (n: number) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`;

const listed: ListedNotice = {
  id: id(2),
  matter: id(3),
  source: "portal",
  reference: "ZD290125001234F",
  form: "DRC-01",
  kind: "",
  about: "Show cause notice",
  gstin: null,
  issued: "2025-01-10",
  due: "2099-02-09",
  hearing: null,
  officer: null,
  demand_paise: null,
  answered: false,
  aside: false,
};

const client: Client = {
  id: id(1),
  name: "Nandi Foods",
  pan: null,
  language: "en",
  people: [],
  note: "",
  gstins: [
    { gstin: "29AAPFU0939F1ZR", signatory: "", designation: "", place: "", representative: "", enrolment: "" },
    { gstin: "27AAPFU0939F1ZV", signatory: "", designation: "", place: "", representative: "", enrolment: "" },
  ],
  matters: [],
  listed: [],
  looked_at: null,
  look: "late",
  made_by: "person",
};

it("asks for the portal's table, names what is missing, and takes its document", async () => {
  const looked: FormData[] = [];
  const changed: unknown[] = [];
  let now = client;
  server.use(
    http.get("*/api/clients/:id", () => HttpResponse.json(now)),
    http.post("*/api/clients/:id/portal", async ({ request }) => {
      looked.push(await request.formData());
      now = { ...client, listed: [listed], looked_at: "2025-02-01T10:00:00Z", look: "fresh" };
      const seen: PortalSeen = {
        rows: [
          {
            reference: "ZD290125001234F",
            form: "DRC-01",
            about: "",
            issued: "2025-01-10",
            due: "2099-02-09",
            state: "new",
            matter: null,
          },
        ],
        new: 1,
        missing: 1,
        client: now,
      };
      return HttpResponse.json(seen);
    }),
    http.post("*/api/listed/:id", async ({ request }) => {
      changed.push(await request.json());
      now = { ...now, listed: [{ ...listed, aside: true }] };
      return HttpResponse.json(now);
    }),
  );
  const { user } = renderRoutes(
    [{ path: "/app/practice/clients/:id", element: <ClientPage /> }],
    `/app/practice/clients/${id(1)}`,
  );
  expect(await screen.findByText(/Nobody has checked this client's portal yet/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Which registration is it for?"), "27AAPFU0939F1ZV");
  await user.type(screen.getByLabelText("Paste the table here"), "ZD290125001234F");
  await user.click(screen.getByRole("button", { name: "Check the table" }));
  expect(await screen.findByText("1 notice is on the portal, but its document is not here:")).toBeTruthy();
  expect([looked[0]?.get("text"), looked[0]?.get("gstin")]).toEqual(["ZD290125001234F", "27AAPFU0939F1ZV"]);
  expect(await screen.findByRole("button", { name: "Upload the document of DRC-01 ZD290125001234F" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "DRC-01 ZD290125001234F is not needed" }));
  await waitFor(() => {
    expect(changed).toEqual([{ aside: true }]);
  });
  expect(await screen.findByText("1 not needed")).toBeTruthy();
});
