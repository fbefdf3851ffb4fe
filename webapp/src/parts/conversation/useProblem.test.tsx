import { http, HttpResponse } from "msw";
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiError, type Me } from "@/lib/api";
import { renderElement } from "@test/render";
import { server } from "@test/server";
import { useProblem } from "./useProblem";

const visitor: Me = {
  email: "",
  ends_soon: false,
  free: 2,
  limited: true,
  mail: false,
  operator: false,
  period_end: null,
  premium: false,
  signed_in: false,
  status: "inactive",
  used: 2,
  firms: [],
  acting: null,
};
const refused = new ApiError(402, { code: "no_use_left", detail: "Your free uses are used up." });

function Said({ error }: { error: Error | null }) {
  return <p>said: {useProblem(error, "It failed.") ?? "nothing"}</p>;
}

describe("what is said of words that were not taken", () => {
  const says = (me: Me, error: Error | null) => {
    server.use(http.get("*/api/me", () => HttpResponse.json(me)));
    renderElement(<Said error={error} />);
    return (text: RegExp) => screen.findByText(text);
  };

  it("tells that no use is left while none is", async () => {
    expect(await says(visitor, refused)(/free uses/)).toBeTruthy();
  });

  it.each([
    ["an account", { ...visitor, signed_in: true, used: 0 }],
    ["nothing limited", { ...visitor, limited: false }],
    ["Premium", { ...visitor, signed_in: true, premium: true }],
  ])("takes it back once there is %s", async (_, me) => {
    expect(await says(me, refused)(/nothing/)).toBeTruthy();
  });

  it("goes on telling what else went wrong", async () => {
    expect(await says({ ...visitor, premium: true }, new Error("broken"))(/It failed\./)).toBeTruthy();
  });
});
