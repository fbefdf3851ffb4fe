import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderElement } from "@test/render";
import type { Check } from "@/lib/api";
import { Sources } from "./Source";

const cited = (provision: string, over: Partial<Check> = {}): Check => ({
  code: "provision",
  verdict: "exists",
  act: "CGST Act",
  provision,
  message: "",
  quote: provision,
  start: 0,
  end: provision.length,
  on: "2020-03-31",
  from: "2017-07-01",
  until: "2020-12-31",
  ...over,
});

it("lists each provision once, with the days of its text, to be opened as on the day that was looked at", () => {
  renderElement(
    <Sources
      checks={[
        cited("section 16(4)"),
        cited("section 16(4)"),
        cited("section 42", { status: "omitted", held: true }),
        cited("section 99999"),
        cited("section 17", { code: "quotation" }),
      ]}
    />,
  );
  const lines = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(lines).toEqual([
    "Section 16(4), CGST Act as on 31 March 2020 · worded like this from 1 July 2017 to 31 December 2020 · our summary, official text not available here",
    "Section 42, CGST Act as on 31 March 2020 · worded like this from 1 July 2017 to 31 December 2020 · omitted · official text",
  ]);
  expect(screen.getByRole("link", { name: "Section 16(4), CGST Act" }).getAttribute("href")).toBe(
    "/app/law/cgst/16(4)?on=2020-03-31",
  );
});
