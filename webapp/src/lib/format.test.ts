import { describe, expect, it, test } from "vitest";
import { ago, day, daysUntil, fileSize, money } from "./format";

test.each([
  [0, "₹0"],
  [999, "₹999"],
  [100_000, "₹1,00,000"],
  [1_245_000, "₹12,45,000"],
  [1_23_45_67_890, "₹1,23,45,67,890"],
  [1234.5, "₹1,234.50"],
  [-5000, "-₹5,000"],
])("money(%d) is %s", (rupees, text) => {
  expect(money(rupees)).toBe(text);
});

test.each([
  ["2025-05-12", "12 May 2025"],
  ["2024-02-29", "29 February 2024"],
  ["2025-02-29", "2025-02-29"],
  ["soon", "soon"],
])("day(%s) is %s", (iso, text) => {
  expect(day(iso)).toBe(text);
});

describe("daysUntil", () => {
  it("counts by the day in India, not by that of the browser", () => {
    // 20:00 in London on the 11th is already the 12th in India.
    const now = new Date("2025-05-11T19:00:00Z");
    expect(daysUntil("2025-05-12", now)).toBe(0);
    expect(daysUntil("2025-05-13", now)).toBe(1);
    expect(daysUntil("2025-05-11", now)).toBe(-1);
  });
  it("crosses a leap day and a year", () => {
    const now = new Date("2023-12-31T06:00:00Z");
    expect(daysUntil("2024-03-01", now)).toBe(61);
  });
  it("does not guess at what is not a date", () => {
    expect(daysUntil("12.05.2025")).toBeNull();
  });
});

test.each([
  ["2025-05-12T09:59:40Z", "just now"],
  ["2025-05-12T09:55:00Z", "5 minutes ago"],
  ["2025-05-12T08:00:00Z", "2 hours ago"],
  ["2025-05-11T09:00:00Z", "yesterday"],
  ["2025-03-12T09:00:00Z", "2 months ago"],
  ["2025-05-12T10:00:30Z", "just now"],
])("ago(%s) is %s", (timestamp, text) => {
  expect(ago(timestamp, new Date("2025-05-12T10:00:00Z"))).toBe(text);
});

test.each([
  [0, "0 kB"],
  [12, "1 kB"],
  [6771, "7 kB"],
  [3_355_443, "3.2 MB"],
  [52_428_800, "50 MB"],
])("fileSize(%d) is %s", (bytes, text) => {
  expect(fileSize(bytes)).toBe(text);
});
