import { act, screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { renderElement } from "@test/render";
import { Conflict } from "./Conflict";

const texts = {
  mine: "Denied.\n\nThe *credit* was reversed.\n# 4 is our invoice.\n\nDocuments: none",
  theirs: "Denied.\n\nThe *credit* was paid.\n# 4 is our invoice.\n\nDocuments: none",
};

function show(markdown: boolean) {
  renderElement(
    <Conflict {...texts} markdown={markdown} saving={false} onMine={() => undefined} onTheirs={() => undefined} />,
  );
}

/** The person's text, in its section. */
function mineShown() {
  const mine = screen.getAllByRole("region", { name: "Your version" }).at(-1);
  if (mine === undefined) throw new Error("nothing of mine is shown");
  return mine;
}

// It must be the first test of this file, since Markdown is loaded only once.
it("opens a draft at the first paragraph that differs, as it stands once Markdown is there", async () => {
  const top = vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(function (this: HTMLElement) {
    return this.querySelector(".prose") === null ? 50 : 300;
  });
  onTestFinished(() => {
    top.mockRestore();
  });
  show(true);
  expect(await screen.findAllByText("credit", { selector: "em" })).toHaveLength(2);
  await act(() => Promise.resolve());
  const mine = mineShown();
  expect(mine.scrollTop).toBe(300 - 12);
  expect(mine.querySelector("[data-differs]")?.textContent).toContain("was reversed");
});

it("shows typed words with their lines and signs as they are, and marks the paragraph alone that differs", () => {
  show(false);
  const mine = mineShown();
  const paragraphs = Array.from(mine.querySelectorAll("p"));
  expect(paragraphs.map(({ textContent }) => textContent)).toEqual([
    "Denied.",
    "The *credit* was reversed.\n# 4 is our invoice.",
    "Documents: none",
  ]);
  expect(paragraphs[1]?.className).toContain("whitespace-pre-wrap");
  expect(Array.from(mine.querySelectorAll("[data-differs]"), ({ textContent }) => textContent)).toEqual([
    "The *credit* was reversed.\n# 4 is our invoice.",
  ]);
});
