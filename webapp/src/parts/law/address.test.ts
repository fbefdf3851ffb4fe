import { expect, test } from "vitest";
import { addressesIn, addressOf, cutAt, numberName, pageOf } from "./address";

test("a checked citation leads to its provision, where the law is known here", () => {
  expect(addressOf("CGST Act", "section 16(2)(aa)")).toEqual({ act: "cgst", number: "16(2)(aa)" });
  expect(addressOf("CGST Rules", "rule 88B")).toEqual({ act: "cgst_rules", number: "88B" });
  expect(addressOf("Contract Act", "section 73")).toBeNull();
  expect(addressOf("CGST Act", "Circular No. 183/15/2022")).toBeNull();
  expect(addressOf(undefined, undefined)).toBeNull();
});

test("the provisions that a rule of the engine names are found, and those of other Acts are not", () => {
  const numbers = (basis: string) => addressesIn(basis).map(({ address: { act, number } }) => `${act} ${number}`);
  expect(numbers("CGST Act s.74(5), (6)")).toEqual(["cgst 74(5)", "cgst 74(6)"]);
  expect(numbers("s.50(1) proviso, r.88B(1)")).toEqual(["cgst 50(1)", "cgst_rules 88B(1)"]);
  expect(numbers("IGST Act s.20")).toEqual(["igst 20"]);
  expect(numbers("Finance Act 2025 s.129, N.16/2025-CT")).toEqual([]);
  expect(numbers("General Clauses Act s.10")).toEqual([]);
});

test("a text is cut at the provisions that it names, in Hindi too, and loses nothing", () => {
  const found = addressesIn("CGST Act s.73(2) and (10)");
  const cut = cutAt("CGST अधिनियम, धारा 73(2) और (10)", found);
  expect(cut).toEqual([
    "CGST अधिनियम, ",
    { address: { act: "cgst", number: "73(2)" }, text: "धारा 73(2)" },
    " और ",
    { address: { act: "cgst", number: "73(10)" }, text: "(10)" },
  ]);
});

test("an explanation is called by its name, and a page by its day", () => {
  expect(numberName("15(Expl)")).toBe("15, Explanation");
  expect(numberName("54(Expl)(2)(a)")).toBe("54, Explanation(2)(a)");
  expect(numberName("16(4)")).toBe("16(4)");
  expect(pageOf({ act: "cgst", number: "16(4)" }, "2020-03-31")).toBe("/app/law/cgst/16(4)?on=2020-03-31");
});
