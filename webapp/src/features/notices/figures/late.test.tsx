import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { FigureLate } from "@/lib/api";
import { Late } from "./Late";

const late: FigureLate = {
  from: "2024-08",
  to: "2024-09",
  paragraphs: ["4"],
  returns: [
    {
      period: "2024-08",
      due: "2024-09-20",
      paid: "2024-09-30",
      days: 10,
      cash: [0, 36_500_00, 0, 0],
      lay: 18_250_00,
      interest: 90_00,
    },
  ],
  cash: [0, 36_500_00, 0, 0],
  lay: 18_250_00,
  notice: 1_000_00,
  due: 90_00,
  on_lay: 90_00,
  on_credit: null,
  other: 820_00,
  doubts: [{ code: "figures.late.due_dates", en: "Days are counted from the 20th.", hi: "", params: {} }],
};

const rows = (label: string) =>
  within(screen.getByRole("group", { name: label }))
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent));

it("shows each late return under the heads that were paid in cash, and what the notice's interest is made up of", () => {
  render(<Late late={late} />);
  expect(screen.getByText("The notice asks for ₹1,000. As per the ledgers, ₹90 is due.")).toBeDefined();
  expect(screen.getByText("August 2024 – September 2024 · Paragraph 4 of the notice")).toBeDefined();
  expect(rows("Return by return")).toEqual([
    [
      "Return",
      "Due on",
      "Paid on",
      "Days",
      "CGST in cash",
      "Of the cash, in the ledger since the due date",
      "Interest",
    ],
    ["August 2024", "20 September 2024", "30 September 2024", "10", "₹36,500", "₹18,250", "₹90"],
    ["Total", "", "", "", "₹36,500", "₹18,250", "₹90"],
  ]);
  expect(rows("What the notice's interest is made up of")).toEqual([
    ["Amounts in rupees", "Interest"],
    ["Interest asked for", "₹1,000"],
    ["Due as per the ledgers", "₹90"],
    ["On cash that lay in the ledger", "₹90"],
    ["Other days or amounts", "₹820"],
  ]);
  expect(screen.getByText("Days are counted from the 20th.")).toBeDefined();
});

it("says so where nothing was paid in cash after a due date", () => {
  const none = { returns: [], cash: [0, 0, 0, 0], lay: 0, notice: null, due: 0, on_lay: 0, other: null, doubts: [] };
  render(<Late late={{ ...late, ...none }} />);
  expect(screen.getByText("As per the ledgers, interest of ₹0 is due.")).toBeDefined();
  expect(screen.getByText("No tax was paid in cash after a due date.")).toBeDefined();
  expect(screen.queryByRole("group", { name: "Return by return" })).toBeNull();
});
