import { cleanup, screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { renderElement } from "@test/render";
import { conversation, detail, server } from "@test/server";
import { readFacts } from "./brief";
import { Gist } from "./Gist";

/** Renders the lines for a notice with these facts, and with a reckoning if there is one. */
async function lines(facts: unknown, deadlines: unknown[] = []): Promise<(string | null)[]> {
  server.use(
    http.get("*/api/conversations/:id/brief", () => HttpResponse.json({ reckoning: { deadlines } })),
    http.get("*/api/conversations/:id", () => HttpResponse.json(detail({}))),
  );
  const read = readFacts(facts);
  if (read === null) throw new Error("no facts");
  renderElement(<Gist id={conversation.id} facts={read} />);
  if (deadlines.length > 0) await screen.findByText(/:/, { selector: "li:first-child" });
  const all = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  cleanup();
  return all;
}

// Each of the lines for kind, amount and date says if it was not read or is not certain.
it("says in three lines what came, how much is claimed and by when", async () => {
  const appeal = [{ code: "appeal", what: "Appeal in FORM APL-01", date: "2099-07-25" }];
  expect(
    await lines({ form: "DRC-07", reply_due: { date: "2099-07-25" }, demand: { rows: [], total: 787806 } }, appeal),
  ).toEqual([
    "Form DRC-07: Appeal in FORM APL-01",
    "Demand: ₹7,87,806",
    expect.stringMatching(/^By 25 July 2099\d/) as string,
  ]);
});

it("says what was not read, and what is to be confirmed", async () => {
  expect(await lines({ attention: [{ code: "amount_unread", page: 2 }] })).toEqual([
    "Form not read",
    "Amount not read, see page 2",
    "No reply date found",
  ]);
  expect(
    await lines({
      form: "ASMT-10",
      candidates: { demand: [{ value: "450000", page: 1, quote: "Rs. 4,50,000" }] },
      watch: { date: "2099-03-12", what: "reply", settled: false },
    }),
  ).toEqual([
    "Form ASMT-10",
    "To be confirmed: demand ₹4,50,000",
    expect.stringContaining("To be confirmed: by 12 March 2099") as string,
  ]);
});

it("says that nothing is demanded, and names a hearing that is to come", async () => {
  const [, amount, when] = await lines({
    form: "REG-17",
    reply_due: { date: "2099-03-12" },
    hearing: { date: "2099-03-15" },
  });
  expect(amount).toBe("No amount demanded");
  expect(when).toMatch(/^By 12 March 2099.*Hearing on 15 March 2099$/);
});
