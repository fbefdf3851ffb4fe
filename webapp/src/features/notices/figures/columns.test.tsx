import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { FigureTable } from "@/lib/api";
import { Columns } from "./Columns";

const table: FigureTable = {
  headings: [
    { name: "Bill No", sample: "INV/1" },
    { name: "Our Ref", sample: "" },
    { name: "Party GSTIN", sample: "27AAKCF4821M1Z9" },
    { name: "IGST 5%", sample: "9" },
    { name: "IGST 18%", sample: "18" },
  ],
  values: ["gstin", "number", "igst", "cess"],
  taken: { gstin: [2], number: [0], igst: [3, 4] },
  chosen: false,
};

const shown = (label: string) => screen.getByLabelText<HTMLSelectElement>(label).selectedOptions[0]?.text;

it("shows what each value is taken from, and sends what is chosen in its place", () => {
  const choose = vi.fn();
  render(<Columns table={table} disabled={false} onChoose={choose} />);
  fireEvent.click(screen.getByText("Columns used from the file"));
  expect(shown("GSTIN of the other party")).toBe("C · Party GSTIN (27AAKCF4821M1Z9)");
  expect(shown("IGST")).toBe("D + E, added up");
  expect(shown("Cess")).toBe("None");
  fireEvent.change(screen.getByLabelText("Invoice number"), { target: { value: "1" } });
  fireEvent.click(screen.getByRole("button", { name: "Use these columns" }));
  // A value that is added up from several columns keeps the recognised columns.
  expect(choose).toHaveBeenCalledWith({ gstin: 2, number: 1, cess: -1 });
  expect(screen.queryByRole("button", { name: "Go back to the recognised columns" })).toBeNull();
});

it("takes the recognised columns again", () => {
  const choose = vi.fn();
  render(<Columns table={{ ...table, chosen: true }} disabled={false} onChoose={choose} />);
  const title = screen.getByText("Columns used from the file");
  within(title).getByText(/chosen by you/);
  fireEvent.click(title);
  fireEvent.click(screen.getByRole("button", { name: "Go back to the recognised columns" }));
  expect(choose).toHaveBeenCalledWith({});
});
