import { render as renderBare, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { MemoryRouter } from "react-router";
import { describe, expect, it, test } from "vitest";
import type { Check } from "@/lib/api";
import { Checked } from "./Checked";
import Markdown from "./Markdown";
import { placed, without } from "./marks";

const render = (ui: ReactElement) => renderBare(ui, { wrapper: MemoryRouter });

/** The text without the signs « and », and a check for the text between each pair. */
function marked(text: string, verdict: NonNullable<Check["verdict"]> = "unknown"): { text: string; checks: Check[] } {
  const checks: Check[] = [];
  let plain = "";
  let start = 0;
  for (const character of text.split("")) {
    if (character === "«") start = plain.length;
    else if (character === "»")
      checks.push({
        code: "provision",
        verdict,
        message: "Said.",
        quote: plain.slice(start),
        start,
        end: plain.length,
        act: "CGST Act",
        provision: "section 1",
        heading: "A heading",
      });
    else plain += character;
  }
  return { text: plain, checks };
}

function show(text: string, verdict?: NonNullable<Check["verdict"]>): HTMLElement {
  const given = marked(text, verdict);
  return render(<Markdown text={given.text} marks={placed(given.checks)} id="a" />).container;
}

const words = (page: HTMLElement) => Array.from(page.querySelectorAll("mark"), (mark) => mark.textContent);

describe("marks in Markdown", () => {
  test.each([
    ["plain", "Under «section 999» it lapses.", ["section 999"]],
    ["emphasis", "Under section **«16(2)(c)»** it lapses.", ["16(2)(c)"]],
    ["emphasis within", "Under «section **16(2)(c)**» it lapses.", ["section ", "16(2)(c)"]],
    ["two in a line", "«Section 1» and «rule 2» apply.", ["Section 1", "rule 2"]],
    ["the same words twice", "section 9, then «section 9».", ["section 9"]],
    ["a table", "| Para | Law |\n|---|---|\n| 1 | «section 73» |", ["section 73"]],
    ["a list", "- one\n- «rule 36(4)»", ["rule 36(4)"]],
    ["a heading", "Intro.\n\n## On «section 74»\n\nText «rule 1».", ["section 74", "rule 1"]],
    ["an escape", "See \\*note\\* and «section 16\\(4\\)» there.", ["section 16(4)"]],
    ["an entity", "A &amp; B, «section 5» and &lt;C&gt; «rule 6».", ["section 5", "rule 6"]],
    ["code", "Read `«section 50»` there.", ["section 50"]],
    ["a block of code", "Draft:\n\n```\nTo the Officer:\n«section 75(4)»\n```\n", ["section 75(4)"]],
    ["a quotation over lines", "> first line\n> then «section 8» ends", ["section 8"]],
    ["a line break within", "under «section\n16» it", ["section\n16"]],
    ["Hindi and signs", "₹ 😀 «धारा 73(1)» के अंतर्गत", ["धारा 73(1)"]],
    ["a link", "[«section 3»](https://example.org/) says", ["section 3"]],
  ])("%s", (_, text, want) => {
    const page = show(text);
    expect(words(page)).toEqual(want);
    expect(page.textContent).toContain("not verified");
  });

  it("changes no word of the answer", () => {
    const given = marked("Under «section 999» of **the Act**, `«rule 1»`.", "exists");
    const bare = render(<Markdown text={given.text} />).container.textContent;
    expect(render(<Markdown text={given.text} marks={placed(given.checks)} id="a" />).container.textContent).toBe(bare);
  });

  it("opens what was found at a press of a key, and says what it does not mean", async () => {
    const user = userEvent.setup();
    show("Under «section 16(4)» it lapses.", "exists");
    await user.tab(); // the provision, which opens in a panel
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "section 16(4)" }));
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "section 16(4): in the index" }));
    await user.keyboard("{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "About section 16(4)" });
    expect(dialog.textContent).toContain("CGST Act");
    expect(dialog.textContent).toContain("A heading");
    expect(dialog.textContent).toContain("for you to judge");
  });

  it("strikes out what a model calls verified itself", () => {
    const text = "Section 9 ✓ verified.";
    const claim: Check = {
      code: "claim",
      verdict: "not_verified",
      message: "",
      quote: "✓ verified",
      start: 10,
      end: 20,
    };
    const page = render(<Markdown text={text} marks={placed([claim])} id="a" />).container;
    expect(page.querySelector("s")?.textContent).toBe("✓ verified");
    expect(page.textContent).toContain("the model's own words, not verified");
  });

  it("holds no button in a link", () => {
    expect(show("[«section 3»](https://example.org/) says").querySelector("a button")).toBeNull();
  });

  it("shows raw HTML as text, marks or not", () => {
    const page = show("<mark data-mark=0>x</mark> «section 1»");
    expect(words(page)).toEqual(["section 1"]);
  });

  it("leaves out the marks of a part that is shown elsewhere, and moves those after it", () => {
    const { checks } = marked("aa «b» cccc «d» ee «f»");
    expect(without(placed(checks), 5, 12).map(({ start, index }) => [start, index])).toEqual([
      [3, 0],
      [8, 2],
    ]);
  });
});

describe("the line below an answer", () => {
  it("counts, lists what is not verified, and leads there", async () => {
    const user = userEvent.setup();
    const good = marked("Under «section 16(4)» and «rule 1», ", "exists");
    const text = `${good.text}but section 999.`;
    const checks: Check[] = [
      ...good.checks,
      {
        code: "provision",
        verdict: "unknown",
        message: "There is none.",
        quote: "section 999",
        start: text.indexOf("section 999"),
        end: text.indexOf("section 999") + 11,
      },
    ];
    render(
      <>
        <Markdown text={text} marks={placed(checks)} id="a" />
        <Checked id="a" checks={checks} shown={placed(checks)} />
      </>,
    );
    Element.prototype.scrollIntoView = () => undefined;
    await user.click(screen.getByRole("button", { name: "2 citations found in the index" }));
    expect(document.activeElement).toBe(screen.getByRole("button", { name: /^section 16\(4\)/ }));
    await user.click(screen.getByRole("button", { name: "1 point not verified" }));
    expect(document.activeElement?.textContent).toBe("not verified: no such provision");
    expect(screen.getByRole("region", { name: "Checked by the program" }).textContent).toContain("There is none.");
  });

  const dated: Check = { code: "provision", verdict: "exists", message: "", quote: "section 9", start: 0, end: 9 };
  const scope = (heading?: string): Check => ({
    code: "scope",
    message: "",
    quote: "",
    start: 0,
    end: 0,
    ...(heading === undefined ? {} : { heading }),
  });
  test.each([
    [[dated, scope()], "1 citation found in the index, nothing left unverified."],
    [
      [dated, scope("heads,quotations")],
      "1 citation found in the index. Not checked: amounts under each head of tax and quotations.",
    ],
    [[dated], "1 citation found in the index."],
    [
      [dated, { ...dated, verdict: "part_unknown" as const }, scope()],
      "1 citation found in the index, 1 citation checked only in part.",
    ],
    [
      [{ ...dated, code: "figure", verdict: "not_in_notice" as const, quote: "₹1" }, scope()],
      "1 not found in the notice.",
    ],
  ])("says that nothing is left unverified only where all was looked at", (checks, want) => {
    render(<Checked id="a" checks={checks} shown={[]} />);
    expect(screen.getByRole("region", { name: "Checked by the program" }).textContent.trim()).toBe(want);
  });

  it("still shows what old answers have", () => {
    render(
      <Checked
        id="a"
        checks={[{ code: "unknown_provision", message: "Not verified.", quote: "section 999", start: 0, end: 0 }]}
        shown={[]}
      />,
    );
    expect(screen.getByRole("listitem").textContent).toBe("section 999 Not verified.");
  });
});

test("a quotation as in the law has a tick, one that is not in it is marked whole, with a way to the text", async () => {
  const text = "“as it is” and “as nobody ever said it”";
  const quotation = (words: string, verdict: NonNullable<Check["verdict"]>): Check => ({
    code: "quotation",
    verdict,
    message: "Said.",
    quote: words,
    start: verdict === "quoted" ? text.indexOf(words) + words.length - 1 : text.indexOf(words),
    end: text.indexOf(words) + words.length,
    act: "CGST Act",
    provision: "section 16(4)",
  });
  const checks = [quotation("“as it is”", "quoted"), quotation("“as nobody ever said it”", "not_in_text")];
  const page = render(<Markdown text={text} marks={placed(checks)} id="a" />).container;
  expect(words(page)).toEqual(["”", "“as nobody ever said it”"]);
  const labels = screen.getAllByRole("button");
  expect(labels.map((label) => label.dataset.tone)).toEqual(["good", "bad"]);
  expect(labels[1]?.textContent).toBe("not in the text of the law");
  await userEvent.click(labels[1] ?? page);
  expect(screen.getByRole("link", { name: /Read/ }).getAttribute("href")).toContain("cgst");
  render(<Checked id="a" checks={checks} shown={placed(checks)} />);
  expect(screen.getByText(/1 quotation matches the law/)).toBeDefined();
});

it("says where a figure of a draft comes from when it is clicked", async () => {
  const check: Check = {
    code: "figure",
    verdict: "answered",
    message: "Answered on 27 November 2026 to the question: When was it paid?",
    quote: "₹1,36,900",
    start: 8,
    end: 17,
  };
  render(<Markdown text="Of this ₹1,36,900 was reversed." marks={placed([check])} id="a" />);
  await userEvent.click(screen.getByRole("button", { name: "₹1,36,900" }));
  expect(screen.getByRole("dialog", { name: "About ₹1,36,900" }).textContent).toContain(
    "Answered on 27 November 2026 to the question: When was it paid?",
  );
});
