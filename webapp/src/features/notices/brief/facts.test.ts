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
  periods: [{ fy: "2020-21", from: "2020-04-01", to: "2021-03-31" }],
  demand: {
    rows: [{ head: "IGST", tax: 100, interest: 20, penalty: 10, fee: 0, other: 0 }],
    total: 130,
    currency: "INR",
  },
  reply_due: { date: "2024-06-12", source: "printed", basis: null },
  hearing: { date: "2024-06-19", time: "11:30", venue: "Room 2" },
  flags: [{ code: "time_barred", message: "Look at the date.", page: 2 }],
  evidence: { reply_due: { page: 1, quote: "by 12/06/2024" } },
};

describe("readFacts", () => {
  it("reads what the program computed", () => {
    expect(readFacts(full)).toEqual({
      isNotice: null,
      candidates: {},
      attention: [],
      watch: null,
      form: "DRC-01",
      reference: "ZD290524004411A",
      din: null,
      issueDate: "2024-05-13",
      servedOn: null,
      portions: [],
      gstin: "29AAACB1234C1ZB",
      gstinValid: true,
      legalName: "MALNAD COFFEE",
      tradeName: null,
      officer: { name: null, designation: "Superintendent", jurisdiction: "Hassan" },
      periods: ["2020-21"],
      demand: { rows: [{ head: "IGST", tax: 100, interest: 20, penalty: 10, fee: 0, other: 0 }], total: 130 },
      replyDue: { date: "2024-06-12", source: "printed", basis: null },
      hearing: { date: "2024-06-19", time: "11:30", venue: "Room 2" },
      flags: [{ code: "time_barred", message: "Look at the date.", page: 2 }],
      evidence: { reply_due: { page: 1, quote: "by 12/06/2024", repaired: false } },
      unsure: [],
      corrected: {},
      confirmed: [],
    });
  });

  it("wants a look at what was recognised on a picture, until someone has looked", () => {
    const scan = { ...full, ocr_pages: [1] };
    expect(readFacts(scan)?.unsure).toEqual(["reply_due"]);
    expect(readFacts({ ...scan, confirmed: ["reply_due"] })?.unsure).toEqual([]);
    expect(readFacts({ ...scan, corrected: { reply_due: "2024-06-13" } })?.unsure).toEqual([]);
    expect(readFacts({ ...full, ocr_pages: [2] })?.unsure).toEqual([]);
  });

  it("knows nothing of an empty record, and breaks on none", () => {
    const facts = readFacts({});
    expect(facts).toMatchObject({
      form: null,
      demand: null,
      replyDue: { date: null, source: "unknown" },
      hearing: null,
      flags: [],
    });
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
      flags: [{ code: "", message: "Kept", page: null }],
      replyDue: { date: null },
    });
  });

  it("reads what a person has to settle", () => {
    const facts = readFacts({
      is_notice: { answer: "doubtful" },
      candidates: { reply_due: [{ value: "2027-03-12", page: 2, quote: "by 12.03.2027" }, { value: 3 }] },
      attention: [{ code: "two_dates", page: 2 }, { code: "form_unknown", page: 0 }, {}],
      watch: { date: "2027-03-12", what: "reply", settled: false },
    });
    expect(facts).toMatchObject({
      isNotice: "doubtful",
      candidates: { reply_due: [{ value: "2027-03-12", page: 2, quote: "by 12.03.2027" }] },
      attention: [
        { code: "two_dates", page: 2 },
        { code: "form_unknown", page: null },
      ],
      watch: { date: "2027-03-12", what: "reply", settled: false },
    });
  });

  it("shows no demand where none is made", () => {
    expect(readFacts({ demand: { rows: [], total: 9, left_open: ["interest", "soon"] } })?.demand?.leftOpen).toEqual([
      "interest",
    ]);
    expect(readFacts({ demand: { rows: [], total: 0 } })?.demand).toBeNull();
  });
});

test.each([null, undefined, "facts", 3, [full]])("readFacts(%j) is null", (json) => {
  expect(readFacts(json)).toBeNull();
});
