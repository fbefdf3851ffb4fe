import { fireEvent, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { Toaster } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderElement } from "@test/render";
import { problem, server } from "@test/server";
import { CopyButton } from "./Answer";
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
        ? problem(413, "too_large", "This text is too long for one Word file. Divide it into two.")
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
  expect(await screen.findByText("This text is too long for one Word file. Divide it into two.")).toBeTruthy();
  expect(saved).toEqual([]);
  fails = false;
  fireEvent.click(screen.getByRole("button", { name: "Retry" })); // a toast takes pointers that there are none of here
  await waitFor(() => {
    expect(saved).toEqual(["उ.docx"]);
  });
  click.mockRestore();
});
