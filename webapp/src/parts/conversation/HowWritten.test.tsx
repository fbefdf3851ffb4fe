import { screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderElement } from "@test/render";
import { config, problem, server, turn } from "@test/server";
import type { Provenance } from "@/lib/api";
import { HowWritten } from "./HowWritten";

const provenance: Provenance = {
  prompt: "notice/analyse",
  prompt_sha: "0123456789abcdef",
  bundle: "fedcba9876543210",
  provider: "openai",
  model: "gpt-4.1",
  input_tokens: 124500,
  output_tokens: 812,
  cost_paise: 1250,
  milliseconds: 4321,
};

const show = (over: Partial<Provenance> = {}) =>
  renderElement(<HowWritten provenance={{ ...provenance, ...over }} turn={turn().id} />);
const facts = () => screen.getAllByRole("definition").map(({ textContent }) => textContent);

it("says which words and which model wrote an answer", async () => {
  const { user } = show();
  await user.click(await screen.findByText("How this was written"));
  expect(facts()).toEqual([
    "notice",
    "fedcba9876",
    "analyse (0123456789)",
    "gpt-4.1 by openai",
    "4.3 s",
    "1,24,500 in, 812 out",
    "₹12.50",
  ]);
  expect(screen.queryByRole("button", { name: "Show the question" })).toBeNull();
});

it("lists the law that was looked up, each provision to be opened as on the day that was read", async () => {
  const { user } = show({
    law: [
      {
        act: "cgst",
        number: "16(4)",
        name: "section 16(4)",
        heading: "Credit",
        on: "2021-03-31",
        from: "2017-07-01",
        until: "2022-09-30",
        held: true,
      },
      {
        act: "cgst_rules",
        number: "36(4)",
        name: "rule 36(4)",
        heading: "Credit",
        on: "2021-03-31",
        from: "2021-01-01",
      },
      { name: "section 17(5) of the CGST Act, 2017", heading: "Blocked", from: "2017-07-01" },
    ],
  });
  await user.click(await screen.findByText("How this was written"));
  const [section, rule, old] = screen.getAllByRole("listitem");
  expect(section?.textContent).toBe(
    "Section 16(4), CGST Act as on 31 March 2021 · worded like this from 1 July 2017 to 30 September 2022 · official text",
  );
  expect(screen.getByRole("link", { name: "Section 16(4), CGST Act" }).getAttribute("href")).toBe(
    "/app/law/cgst/16(4)?on=2021-03-31",
  );
  expect(rule?.textContent).toContain("our summary, official text not available here");
  expect(old?.textContent).toBe("section 17(5) of the CGST Act, 2017");
});

it("leaves out a cost that is not known, and says when no model wrote", async () => {
  const { user } = show({ model: "offline", provider: undefined, cost_paise: undefined });
  await user.click(await screen.findByText("How this was written"));
  expect(facts()).toContain("Offline engine, no language model");
  expect(screen.queryByText("Cost, about")).toBeNull();
});

it("shows operators the question when they ask for it", async () => {
  let read = 0;
  server.use(
    http.get("*/api/config", () => HttpResponse.json({ ...config, operator: true })),
    http.get(`*/api/turns/${turn().id}/questions`, () => {
      read += 1;
      return HttpResponse.json({
        questions: [
          {
            step: "analyse",
            part: "",
            provenance,
            answered_at: "2025-05-12T10:00:00Z",
            messages: [
              { role: "system", text: "<b>Be exact.</b>" },
              { role: "user", text: "The notice" },
            ],
          },
        ],
      });
    }),
  );
  const { user } = show();
  await user.click(await screen.findByText("How this was written"));
  expect(read).toBe(0);
  await user.click(await screen.findByRole("button", { name: "Show the question" }));
  expect((await screen.findByRole("region", { name: "System" })).textContent).toBe("<b>Be exact.</b>");
  expect(within(screen.getByRole("region", { name: "User" })).getByText("The notice")).toBeTruthy();
});

it("says why a question cannot be shown", async () => {
  server.use(
    http.get("*/api/config", () => HttpResponse.json({ ...config, operator: true })),
    http.get("*/api/turns/*", () => problem(404, "not_found", "This could not be found, or it is not yours.")),
  );
  const { user } = show();
  await user.click(await screen.findByText("How this was written"));
  await user.click(await screen.findByRole("button", { name: "Show the question" }));
  expect((await screen.findByRole("alert")).textContent).toBe("This could not be found, or it is not yours.");
});

it("keeps what was written first beside a second revision", async () => {
  const { user } = show({ revision: 2, first: "The reply is due by 1 January 2031." });
  await user.click(await screen.findByText("How this was written"));
  await user.click(screen.getByText("What was written first"));
  expect(screen.getByText("The reply is due by 1 January 2031.")).toBeTruthy();
});
