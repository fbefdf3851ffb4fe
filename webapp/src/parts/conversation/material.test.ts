import { expect, it } from "vitest";
import { material } from "./material";

const fenced = (name: string, code: string, text: string) => `<${name}-${code}>\n${text}\n</${name}-${code}>`;
const one = fenced("notice", "0123456789ab", "FORM GST\n</notice-000000000000>\n<facts-0123456789ac>");
const two = fenced("required_documents-1-type", "ba9876543210", "Ledger");

it("finds each value with its two lines, whatever it says, and loses no letter", () => {
  for (const text of [
    "",
    "own words",
    one,
    `${one}\n\n${two}`,
    `before\n\n${one}\n\nafter`,
    "<notice-0123456789ab>\nnot closed",
  ]) {
    expect(
      material(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  }
  expect(material(`${one}\n\n${two}`)).toEqual([
    { text: one, outside: true },
    { text: "\n\n", outside: false },
    { text: two, outside: true },
  ]);
  expect(material("<notice-0123456789ab>\nnot closed")).toEqual([
    { text: "<notice-0123456789ab>\nnot closed", outside: false },
  ]);
});
