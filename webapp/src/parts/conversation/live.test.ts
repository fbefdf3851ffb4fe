import { describe, expect, it } from "vitest";
import { turn } from "@test/server";
import { idle, isActive, live, type LiveEvent } from "./live";

const a = turn({ id: "a" });
const b = turn({ id: "b" });
const play = (...events: LiveEvent[]) => events.reduce(live, idle);

describe("the live turn", () => {
  it("appends text to the text of its turn", () => {
    const state = play(
      { type: "snapshot", event: { turn: a, text: "The " } },
      { type: "text", event: { turn_id: "a", text: "notice " } },
      { type: "text", event: { turn_id: "a", text: "says" } },
    );
    expect(state.text).toBe("The notice says");
  });

  it("lets a snapshot replace what was there, since a retry writes anew", () => {
    const state = play(
      { type: "text", event: { turn_id: "a", text: "first attempt" } },
      { type: "snapshot", event: { turn: a, text: "second" } },
      { type: "text", event: { turn_id: "a", text: " attempt" } },
    );
    expect(state.text).toBe("second attempt");
  });

  it("starts anew with another turn", () => {
    const state = play(
      { type: "snapshot", event: { turn: a, text: "old" } },
      { type: "turn", event: { turn: b } },
      { type: "text", event: { turn_id: "b", text: "new" } },
    );
    expect(state).toMatchObject({ text: "new", turn: b });
  });

  it("keeps the text when the same turn moves on", () => {
    const state = play(
      { type: "snapshot", event: { turn: a, text: "kept" } },
      { type: "turn", event: { turn: turn({ id: "a", state: "answered" }) } },
    );
    expect(state).toMatchObject({ text: "kept", turn: { state: "answered" } });
  });

  it("does not change for the same link", () => {
    const open = play({ type: "link", link: "open" });
    expect(live(open, { type: "link", link: "open" })).toBe(open);
  });
});

it("calls only queued and running turns active", () => {
  expect(
    ["queued", "running", "answered", "failed", "stopped"].filter((state) =>
      isActive(turn({ state: state as "queued" })),
    ),
  ).toEqual(["queued", "running"]);
  expect(isActive(null)).toBe(false);
});
