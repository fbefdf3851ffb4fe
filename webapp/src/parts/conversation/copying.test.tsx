import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { Toaster } from "sonner";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { MemoryRouter } from "react-router";
import type { Check } from "@/lib/api";
import { renderElement } from "@test/render";
import { problem, server } from "@test/server";
import { CopyButton } from "./Answer";
import { copySelection } from "./footnotes";
import Markdown from "./Markdown";
import { placed } from "./marks";
import { WordFile } from "./WordFile";

const text = "## Reply\n\n**Denied.**";

class Item {
  constructor(readonly kinds: Record<string, Blob>) {}
}

function clipboard() {
  const put = {
    write: vi.fn<(items: Item[]) => Promise<void>>().mockResolvedValue(),
    writeText: vi.fn<(text: string) => Promise<void>>().mockResolvedValue(),
  };
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: put });
  return put;
}

beforeEach(() => {
  vi.stubGlobal("ClipboardItem", Item);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("copies an answer as Markdown and as it looks", async () => {
  const { user } = renderElement(<CopyButton text={text} markdown />);
  const { write, writeText } = clipboard();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  await screen.findByText("Copied");
  const kinds = write.mock.calls[0]?.[0][0]?.kinds ?? {};
  expect(await kinds["text/plain"]?.text()).toBe(text);
  expect(await kinds["text/html"]?.text()).toContain("<strong>Denied.</strong>");
  expect(writeText).not.toHaveBeenCalled();
});

const total: Check = {
  code: "figure",
  verdict: "not_in_notice",
  message: "",
  quote: "₹1",
  start: 20,
  end: 22,
};
const demand = "The total demand is ₹1.";

it("copies the marks of an answer as footnotes", async () => {
  const { user } = renderElement(<CopyButton text={demand} markdown marks={placed([total])} />);
  const { write } = clipboard();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  await screen.findByText("Copied");
  const kinds = write.mock.calls[0]?.[0][0]?.kinds ?? {};
  expect(await kinds["text/plain"]?.text()).toBe(
    "The total demand is ₹1[1].\n\nMarked by the program\n[1] ₹1: not found in the notice\n",
  );
  const html = (await kinds["text/html"]?.text()) ?? "";
  expect(html).toContain("₹1<sup>[1]</sup>.");
  expect(html).toContain("[1] ₹1: not found in the notice");
});

/** The content that a browser would put on the clipboard for a selection. */
function copied(range: Range): { text: string; html: string } | null {
  document.getSelection()?.removeAllRanges();
  document.getSelection()?.addRange(range);
  const kinds = new Map<string, string>();
  const event = new Event("copy", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "clipboardData", {
    value: { setData: (kind: string, data: string) => kinds.set(kind, data) },
  });
  document.body.dispatchEvent(event);
  return event.defaultPrevented ? { text: kinds.get("text/plain") ?? "", html: kinds.get("text/html") ?? "" } : null;
}

it("has a selection carry its marks as footnotes, and leaves other words to the browser", () => {
  const { container } = render(
    <MemoryRouter>
      <Markdown text={`${demand}\n\nNo more.`} marks={placed([total])} id="a" />
    </MemoryRouter>,
  );
  const range = document.createRange();
  range.selectNodeContents(container);
  const all = copied(range);
  expect(all?.text).toBe(
    "The total demand is ₹1[1].\n\nNo more.\n\nMarked by the program\n[1] ₹1: not found in the notice\n",
  );
  expect(all?.html).toContain("₹1</mark></span><sup>[1]</sup>.");
  expect(all?.html).not.toContain("<button");

  const amount = screen.getByText("₹1").firstChild;
  if (amount === null) throw new Error("no text");
  range.selectNodeContents(amount);
  expect(copied(range)?.text).toBe("₹1[1]\n\nMarked by the program\n[1] ₹1: not found in the notice\n");

  range.selectNodeContents(screen.getByText("No more."));
  expect(copied(range)).toBeNull();
});

it("keeps of a selection's links those that lead somewhere from a mail, and no drawings", () => {
  const page = document.createElement("div");
  page.innerHTML =
    '<span data-note="₹1: not found in the notice">₹1</span> <a href="?page=2#mark=1">page 2</a> ' +
    '<a href="/app/law/cgst/73">section 73</a> <a href="https://cbic.gov.in/">cbic.gov.in</a> ' +
    "<button><svg><title>Tick</title></svg>found</button>";
  document.body.append(page);
  onTestFinished(() => {
    page.remove();
  });
  const range = document.createRange();
  range.selectNodeContents(page);
  document.getSelection()?.removeAllRanges();
  document.getSelection()?.addRange(range);
  const kinds = new Map<string, string>();
  const event = Object.assign(new Event("copy", { cancelable: true }), {
    clipboardData: { setData: (kind: string, data: string) => kinds.set(kind, data) },
  });
  copySelection(event as unknown as ClipboardEvent, "Marked by Munshi");
  expect(kinds.get("text/html")).toMatch(
    /^<span>₹1<\/span><sup>\[1\]<\/sup> page 2 section 73 <a href="https:\/\/cbic.gov.in\/">cbic.gov.in<\/a> found</,
  );
});

it("copies the Markdown alone where a browser takes no more, and what is no Markdown", async () => {
  const { user } = renderElement(<CopyButton text="https://munshi.example/feed" label="Address" />);
  const { write, writeText } = clipboard();
  await user.click(screen.getByRole("button", { name: "Address" }));
  await waitFor(() => {
    expect(writeText).toHaveBeenCalledWith("https://munshi.example/feed");
  });
  vi.stubGlobal("ClipboardItem", undefined);
  const { user: other } = renderElement(<CopyButton text={text} label="Answer" markdown />);
  const second = clipboard();
  await other.click(screen.getByRole("button", { name: "Answer" }));
  await waitFor(() => {
    expect(second.writeText).toHaveBeenCalledWith(text);
  });
  expect(write).not.toHaveBeenCalled();
  expect(second.write).not.toHaveBeenCalled();
});

it("says why there is no Word file, and fetches it when asked again", async () => {
  let fails = true;
  server.use(
    http.get("*/api/drafts/1/word", () =>
      fails
        ? problem(413, "too_large", "This text is too long for one Word file. Split it into two.")
        : new HttpResponse("PK", { headers: { "Content-Disposition": "attachment; filename*=utf-8''%E0%A4%89.docx" } }),
    ),
  );
  const made = vi.fn(() => "blob:made");
  Object.assign(URL, { createObjectURL: made, revokeObjectURL: vi.fn() });
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { user } = renderElement(
    <>
      <WordFile href="/api/drafts/1/word">Download as Word</WordFile>
      <Toaster />
    </>,
  );
  await user.click(screen.getByRole("link", { name: "Download as Word" }));
  expect(await screen.findByText("This text is too long for one Word file. Split it into two.")).toBeTruthy();
  expect(saved).toEqual([]);
  fails = false;
  fireEvent.click(screen.getByRole("button", { name: "Retry" })); // a toast captures pointers, which do not exist here
  await waitFor(() => {
    expect(saved).toEqual(["उ.docx"]);
  });
  click.mockRestore();
});
