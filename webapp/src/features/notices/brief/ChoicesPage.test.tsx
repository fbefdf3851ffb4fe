import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderRoutes } from "@test/render";
import { conversation, server } from "@test/server";
import i18next from "i18next";
import type { Brief } from "@/lib/api";
import hindi from "@/locales/hi/notices.json";
import { ChoicesPage } from "./ChoicesPage";

const words = { explanation: "", ask: "", why: "" };
const brief: Brief = {
  document_id: conversation.id,
  facts: {
    form: "DRC-01",
    reference: "ZD290524004411A",
    demand: { rows: [{ head: "IGST", tax: 100000, penalty: 10000 }], total: 110000 },
  },
  reckoning: {
    law: { as_of: "2026-11-20", overlaid: [] },
    deadlines: [
      { code: "reply", what: "Reply in FORM DRC-06", date: "2099-06-12", if_missed: "an order" },
      { code: "pay_and_close", what: "Pay", date: "2099-06-10", provision: "CGST Act s.73(8)", paise: 10000000 },
      { code: "order_due", what: "The order", date: "2020-02-28" },
    ],
    limitation: [],
    money: [
      {
        code: "penalty",
        title: "Penalty",
        rows: [{ label: "By order", head: "IGST", paise: 1000000, provision: "CGST Act s.73(9)" }],
      },
      { code: "first_appeal", title: "Pre-deposit", rows: [], paise: 1000000 },
    ],
  },
  points: [
    {
      id: "payment-already-made",
      provision: "CGST Act s.73(5)",
      verdict: "applies",
      strength: "reduces",
      amount: 25000,
      remains: 85000,
      because: [],
      for: [],
      plead: "",
      provisional: false,
      en: { title: "Paid already", ...words },
      hi: { title: "पहले ही चुकाया", ...words },
    },
  ],
  provisions: [],
  corrections: [],
  papers: [],
  letters: [],
  answered_at: null,
};

function show(shown = brief) {
  server.use(http.get("*/api/conversations/:id/brief", () => HttpResponse.json(shown)));
  renderRoutes(
    [{ path: "/app/notices/:id/choices", element: <ChoicesPage /> }],
    `/app/notices/${conversation.id}/choices`,
  );
}

it("says what paying, contesting and both cost, until when, and what silence brings", async () => {
  show();
  expect(await screen.findByText(/Pay ₹1,00,000 by 10 June 2099/)).toBeTruthy();
  expect(screen.getByText(/₹10,000 has to be deposited first/)).toBeTruthy();
  expect(screen.getByText(/by 28 February 2020, over/)).toBeTruthy();
  expect(
    screen.getByText(/The demand of ₹1,10,000 is reduced by ₹25,000 under CGST Act s\.73\(5\); ₹85,000 remains/),
  ).toBeTruthy();
  expect(screen.getByText(/12 June 2099: an order/)).toBeTruthy();
  expect(
    screen.getByRole("img", { name: /The dates of this notice: 28 February 2020: .*; 10 June 2099/ }),
  ).toBeTruthy();
});

it("does not speak of time that is over", async () => {
  const past = [{ code: "reply", what: "Reply", date: "2020-01-12", if_missed: "an order" }];
  show({ ...brief, reckoning: { ...brief.reckoning, deadlines: past } });
  expect(await screen.findByText(/Check the portal at once for any order/)).toBeTruthy();
  expect(screen.queryByText(/You have time until/)).toBeNull();
});

it("says what helps on a paper that asks for no money", async () => {
  const points = (brief.points ?? []).slice(0, 1).map((point) => ({ ...point, amount: null, remains: null }));
  show({ ...brief, points });
  expect(await screen.findByText("What may help here:")).toBeTruthy();
  expect(screen.getByText(/^Paid already:/)).toBeTruthy();
  expect(screen.queryByText(/reduce the demand/)).toBeNull();
});

it("says it in Hindi", async () => {
  i18next.addResourceBundle("hi", "notices", hindi);
  await i18next.changeLanguage("hi");
  show();
  expect(await screen.findByRole("heading", { name: "चुकाएँ, लड़ें, या दोनों" })).toBeTruthy();
  expect(screen.getByText(/10 जून 2099 तक ₹1,00,000 चुकाएँ, तो मामला बंद/)).toBeTruthy();
  await i18next.changeLanguage("en");
});
