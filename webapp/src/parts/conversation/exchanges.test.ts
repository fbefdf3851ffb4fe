import { expect, it } from "vitest";
import { message } from "@test/server";
import { exchanges } from "./exchanges";

it("puts what was asked anew into one exchange, the latest last", () => {
  const said = [
    message({ exchange: "a", turn_id: "a", role: "user", text: "One" }),
    message({ exchange: "a", turn_id: "a", text: "First" }),
    message({ exchange: "b", turn_id: "b", role: "user", text: "Two" }),
    message({ exchange: "b", turn_id: "c", role: "user", text: "Two, please" }),
    message({ exchange: "b", turn_id: "c", text: "Second" }),
  ];
  expect(
    exchanges(said).map(({ id, versions }) => [
      id,
      versions.map(({ turn, messages }) => [turn, messages.map(({ text }) => text)]),
    ]),
  ).toEqual([
    ["a", [["a", ["One", "First"]]]],
    [
      "b",
      [
        ["b", ["Two"]],
        ["c", ["Two, please", "Second"]],
      ],
    ],
  ]);
});
