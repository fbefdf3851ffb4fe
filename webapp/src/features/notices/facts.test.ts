import { describe, expect, it, test } from "vitest";
import { readFacts } from "./facts";

const full = {
  form: "DRC-01",
  reference: "ZD290524004411A",
  din: null,
  issue_date: "2024-05-13",
  gstin: "29AAACB1234C1ZB",
  gstin_valid: true,
  legal_name: "MALNAD COFFEE",
  trade_name: null,
  officer: { name: null, designation: "Superintendent", jurisdiction: "Hassan" },
  demand: { rows: [{ head: "IGST", tax: 100, interest: 20, penalty: 10, fee: 0, other: 0 }], total: 130, currency: "INR" },
  reply_due: { date: "2024-06-12", source: "printed", basis: null },
  hearing: { date: "2024-06-19", time: "11:30", venue: "Room 2" },
  flags: [{ code: "time_barred", message: "Look at the date.", page: 2 }],
  evidence: { reply_due: { page: 1, quote: "by 12/06/2024" } },
};

describe("readFacts", () => {
  it("reads what the program computed", () => {
    expect(readFacts(full)).toEqual({
      form: "DRC-01",
      reference: "ZD290524004411A",
      issueDate: "2024-05-13",
      gstin: "29AAACB1234C1ZB",
      gstinValid: true,
      addressee: "MALNAD COFFEE",
      officer: { name: null, designation: "Superintendent", jurisdiction: "Hassan" },
      demand: { rows: [{ head: "IGST", tax: 100, interest: 20, penalty: 10, fee: 0, other: 0 }], total: 130 },
      replyDue: { date: "2024-06-12", source: "printed", basis: null, page: 1, quote: "by 12/06/2024" },
      hearing: { date: "2024-06-19", time: "11:30" },
      flags: [{ message: "Look at the date.", page: 2 }],
    });
  });

  it("falls back to the DIN for a notice without a reference", () => {
    expect(readFacts({ ...full, reference: null, din: "20240564SW0000555B3C" })?.reference).toBe("20240564SW0000555B3C");
  });

  it("knows nothing of an empty record, and breaks on none", () => {
    const facts = readFacts({});
    expect(facts).toMatchObject({ form: null, demand: null, replyDue: { date: null, source: "unknown" }, hearing: null, flags: [] });
  });

  it("leaves out what has the wrong shape", () => {
    const facts = readFacts({
      form: 7,
      demand: { rows: [{ head: "CGST", tax: "many" }, "x", null], total: Infinity },
      flags: ["time_barred", { message: "" }, { message: "Kept" }],
      reply_due: "tomorrow",
      evidence: [],
    });
    expect(facts).toMatchObject({
      form: null,
      demand: { rows: [{ head: "CGST", tax: 0 }], total: null },
      flags: [{ message: "Kept", page: null }],
      replyDue: { date: null },
    });
  });

  it("shows no demand where none is made", () => {
    expect(readFacts({ demand: { rows: [], total: 0 } })?.demand).toBeNull();
  });
});

test.each([null, undefined, "facts", 3, [full]])("readFacts(%j) is null", (json) => {
  expect(readFacts(json)).toBeNull();
});
