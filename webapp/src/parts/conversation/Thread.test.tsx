import { render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Thread } from "./Thread";
import "@/lib/i18n";

// The measures that a browser would report: a screen of 500, two exchanges of 1,000 and 2,000, the second question at
// 1,000.
function measured() {
  vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(3_000);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(500);
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    return new DOMRect(0, Number(this.dataset.question ?? 0), 300, 0);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ["from its last question on", false, 984],
  ["at its end while an answer is being written", true, 3_000],
])("shows a conversation that is opened %s", (_, writing, top) => {
  measured();
  const { container } = render(
    <Thread mine={2} writing={writing}>
      <p data-question={0}>First</p>
      <p data-question={1_000}>Second</p>
    </Thread>,
  );
  expect(container.querySelector("[role=region]")?.scrollTop).toBe(top);
});
