import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { startStack, type Stack } from "../e2e/stack";
import { Notices } from "../e2e/test";

// A reply as drafted from the notice alone, and after the interview, for docs/reply.md: two papers of our own.
const documents = path.resolve(import.meta.dirname, "../../evals/documents");
const docs = path.resolve(import.meta.dirname, "../../docs/reply");

let stack: Stack;
test.beforeAll(async () => {
  stack = await startStack("replies", { MUNSHI_MODEL_PROVIDER: "offline" });
});
test.afterAll(() => stack.stop());

type Said = { holds?: string; words?: string[]; unknown?: boolean };
type Case = { name: string; file: string; answers: Record<string, Said>; points: Record<string, string> };

const signs = {
  signatory: "Ashwin Deshpande",
  designation: "Authorised signatory",
  place: "Nashik",
  representative: "CA Rohini Kale",
  enrolment: "membership no. 118204",
};

const cases: Case[] = [
  {
    name: "demand",
    file: "drc01-s73.pdf",
    answers: {
      served_on: { words: ["2026-09-15"] },
      "defence:credit-already-reversed": {
        holds: "yes",
        words: ["₹1,36,900 (CGST ₹68,450, SGST ₹68,450)", "July and August 2022, in Table 4(B)(2)"],
      },
      "defence:credit-timing": {
        holds: "yes",
        words: ["IGST ₹3,12,600 is on 11 invoices of March 2022 that the suppliers reported in April 2022"],
      },
      "defence:reverse-charge-goods-transport": {
        holds: "yes",
        words: ["of ₹11,76,000, ₹9,40,000 was paid to Sahyadri Roadlines, which charged 12% on its invoices"],
      },
      papers: {
        words: ["Tax invoices for the disputed credit", "Invoices for transport, legal and imported services"],
      },
      ledger: {
        holds: "yes",
        words: ["the balance was never below ₹14,20,000 between April 2022 and the reversal"],
      },
      paid: { holds: "no" },
      earlier: { holds: "no" },
    },
    points: {},
  },
  {
    name: "cancellation",
    file: "reg17-cancellation.pdf",
    answers: {
      served_on: { words: ["2026-07-07"] },
      "defence:cancellation-file-returns": {
        holds: "yes",
        words: ["AA080726110442K to AA080726110447Q of 10.07.2026"],
      },
      "defence:cancellation-place-of-business": {
        holds: "yes",
        words: ["rent agreement to 31.03.2028, electricity bill of June 2026, photographs of 12.07.2026"],
      },
      "defence:suspension-ends-with-the-returns": { holds: "yes", words: ["10.07.2026"] },
      papers: {
        words: [
          "Filing acknowledgements of all pending returns",
          "Challans for tax, interest and late fee",
          "Proof of the place of business",
          "Dated photographs of the premises with the name board",
        ],
      },
      earlier: { holds: "no" },
    },
    points: {
      "1": "All returns from December 2025 to May 2026 were furnished on 10.07.2026, with tax of ₹84,210, interest of ₹3,105 and late fee of ₹6,000.",
      "2": "The visit was on a Monday, the weekly holiday of the marble market.",
    },
  },
];

/** Sends a request to the product, as the page does. */
async function ask(page: Page, method: string, at: string, body?: unknown): Promise<unknown> {
  const answer = await page.request.fetch(at, { method, data: body });
  expect(answer.ok(), `${method} ${at} is answered ${String(answer.status())}: ${await answer.text()}`).toBe(true);
  return answer.status() === 204 ? undefined : answer.json();
}

/** Drafts the reply, and takes a picture of its first pages. */
async function drawn(page: Page, conversation: string, name: string) {
  await page.goto(`/app/notices/${conversation}/reply`);
  const at = `/api/conversations/${conversation}`;
  const taken = page.waitForResponse((r) => r.request().method() === "POST" && r.url().endsWith(`${at}/reply`));
  await page.getByRole("button", { name: /^(Draft reply|Update the draft)$/ }).click();
  const turn = (await (await taken).json()) as { id: string };
  await expect
    .poll(async () => ((await ask(page, "GET", at)) as { turn: unknown }).turn)
    .toMatchObject({ id: turn.id, state: "answered" });
  const draft = page.getByRole("region", { name: "Reply", exact: true }).getByRole("article");
  const id = await draft.locator("[data-draft]").getAttribute("data-draft");
  await page.goto(`/app/drafts/${id ?? ""}`);
  const first = page.getByRole("region", { name: /What decides the matter$/ });
  await expect(first).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await first.evaluate((part) => {
    part.style.scrollMarginTop = "4rem"; // below the toolbar of the draft
    part.scrollIntoView({ block: "start" });
  });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: path.join(docs, `${name}.png`), animations: "disabled", caret: "hide" });
}

for (const { name, file, answers, points } of cases) {
  test(`the reply to ${file}, before the interview and after it`, async ({ browser }) => {
    const context = await browser.newContext({ baseURL: stack.url, viewport: { width: 1000, height: 1150 } });
    const page = await context.newPage();
    const notices = new Notices(page);
    await notices.upload(path.join(documents, file));
    await notices.answered(1);
    const conversation = page.url().split("/").pop() ?? "";
    const reply = `/api/conversations/${conversation}/reply`;
    await drawn(page, conversation, `${name}-before`);

    const { questions } = (await ask(page, "GET", `${reply}/interview`)) as { questions: { key: string }[] };
    expect(questions.map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(answers)));
    for (const { key } of questions) {
      const said = answers[key] ?? (key.startsWith("para:") ? undefined : { unknown: true });
      if (said !== undefined) await ask(page, "POST", `${reply}/interview`, { key, ...said });
    }
    const { points: all } = (await ask(page, "GET", reply)) as { points: { key: string; allegation: boolean }[] };
    const alleged = all.filter(({ allegation }) => allegation).map(({ key }) => key);
    expect(alleged).toEqual(expect.arrayContaining(Object.keys(points)));
    for (const key of alleged)
      await ask(page, "POST", `${reply}/points`, { key, stance: "deny", facts: points[key] ?? "" });
    await ask(page, "POST", `${reply}/taxpayer`, signs);
    await drawn(page, conversation, `${name}-after`);
    await context.close();
  });
}
