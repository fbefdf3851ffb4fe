import { expect, test } from "vitest";
import { blanksIn } from "./blanks";

test("blanks are what nobody supplied, and what is to be confirmed", () => {
  const text = "Of […] at [… place], [...], [To be confirmed: the day (rule 142)], but not [Annexure 1], [x] or […\nover lines].";
  expect(blanksIn(text).map(({ from, to }) => text.slice(from, to))).toEqual(["[…]", "[… place]", "[...]", "[To be confirmed: the day (rule 142)]"]);
});
