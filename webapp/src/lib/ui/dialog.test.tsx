import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { Dialog, DialogContent } from "./dialog";

/** A dialog whose only button opens another in its place. */
function TwoDialogs() {
  const [open, setOpen] = useState("");
  const close = (now: boolean) => {
    if (!now) setOpen("");
  };
  return (
    <main tabIndex={-1}>
      <button
        onClick={() => {
          setOpen("first");
        }}
      >
        Open
      </button>
      <Dialog open={open === "first"} onOpenChange={close}>
        <DialogContent title="First" closeLabel="Close">
          <button
            onClick={() => {
              setOpen("second");
            }}
          >
            Go on
          </button>
        </DialogContent>
      </Dialog>
      <Dialog open={open === "second"} onOpenChange={close}>
        <DialogContent title="Second" closeLabel="Close">
          Text
        </DialogContent>
      </Dialog>
    </main>
  );
}

describe("a dialog's focus", () => {
  it("goes back to where it was", async () => {
    const user = userEvent.setup();
    render(<TwoDialogs />);
    await user.click(screen.getByRole("button", { name: "Open" }));
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Open" }));
  });

  it("goes to the content when the dialog that opened it is gone", async () => {
    const user = userEvent.setup();
    render(<TwoDialogs />);
    await user.click(screen.getByRole("button", { name: "Open" }));
    await user.click(screen.getByRole("button", { name: "Go on" }));
    await user.click(await screen.findByRole("button", { name: "Close" }));
    expect(document.activeElement).not.toBe(document.body);
    expect(screen.getByRole("main").contains(document.activeElement)).toBe(true);
  });
});

it("is closed by Escape, but where it holds something only by its button", async () => {
  const user = userEvent.setup();
  const closes = vi.fn();
  const dialog = (holds: boolean) => (
    <Dialog open onOpenChange={closes}>
      <DialogContent title="Upload" closeLabel="Close" holds={holds}>
        <p>two photographs</p>
      </DialogContent>
    </Dialog>
  );
  const { rerender } = render(dialog(true));
  await user.keyboard("{Escape}");
  expect(closes).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(closes).toHaveBeenCalledExactlyOnceWith(false);
  rerender(dialog(false));
  await user.keyboard("{Escape}");
  expect(closes).toHaveBeenCalledTimes(2);
});
