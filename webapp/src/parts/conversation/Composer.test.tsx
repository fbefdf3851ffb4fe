import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { renderElement } from "@test/render";
import { Composer } from "./Composer";

type Send = (text: string, key: string) => Promise<unknown>;

function show(over: Partial<React.ComponentProps<typeof Composer>> = {}) {
  const onSend = vi.fn<Send>().mockResolvedValue(undefined);
  const view = renderElement(
    <Composer
      draftKey="k"
      placeholder="Type your message..."
      busy={false}
      sending={false}
      error={null}
      onSend={onSend}
      {...over}
    />,
  );
  return { ...view, onSend, box: screen.getByPlaceholderText<HTMLTextAreaElement>("Type your message...") };
}

describe("the message box", () => {
  it("sends on Enter, trimmed, and is empty once the message was taken", async () => {
    const { user, box, onSend } = show();
    await user.type(box, "  When is the reply due?  {Enter}");
    expect(onSend).toHaveBeenCalledWith("When is the reply due?", expect.stringMatching(/^[0-9a-f]{32}$/));
    await waitFor(() => {
      expect(box.value).toBe("");
    });
  });

  it("breaks the line on Shift+Enter", async () => {
    const { user, box, onSend } = show();
    await user.type(box, "one{Shift>}{Enter}{/Shift}two");
    expect(box.value).toBe("one\ntwo");
    expect(onSend).not.toHaveBeenCalled();
  });

  it("leaves Enter to an input method that composes", () => {
    const { box, onSend } = show();
    fireEvent.change(box, { target: { value: "नोटिस" } });
    fireEvent.keyDown(box, { key: "Enter", isComposing: true });
    fireEvent.keyDown(box, { key: "Enter", keyCode: 229 });
    expect(onSend).not.toHaveBeenCalled();
    fireEvent.keyDown(box, { key: "Enter", keyCode: 13 });
    expect(onSend).toHaveBeenCalledOnce();
  });

  it.each(["", "   ", "\n\t "])("does not send %j", async (text) => {
    const { user, box, onSend } = show();
    fireEvent.change(box, { target: { value: text } });
    await user.type(box, "{Enter}");
    expect(screen.getByRole("button", { name: "Send" })).toHaveProperty("disabled", true);
    expect(onSend).not.toHaveBeenCalled();
  });

  it("sends nothing while a reply is written, and offers Stop", async () => {
    const onStop = vi.fn();
    const { user, box, onSend } = show({ busy: true, onStop });
    await user.type(box, "next question{Enter}");
    expect(onSend).not.toHaveBeenCalled();
    expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Stop" }));
    expect(onStop).toHaveBeenCalledOnce();
  });

  it("keeps the text when it could not be sent, and sends it again as the same act", async () => {
    const onSend = vi.fn<Send>().mockRejectedValueOnce(new Error("down")).mockResolvedValue(undefined);
    const { user, box } = show({ onSend });
    await user.type(box, "a question{Enter}");
    expect(box.value).toBe("a question");
    await user.type(box, "{Enter}");
    const [first, second] = onSend.mock.calls.map(([, key]) => key);
    expect(second).toBe(first);
  });

  it("gives other words another key", async () => {
    const onSend = vi.fn<Send>().mockRejectedValueOnce(new Error("down")).mockResolvedValue(undefined);
    const { user, box } = show({ onSend });
    await user.type(box, "a question{Enter}");
    await user.type(box, " more{Enter}");
    const [first, second] = onSend.mock.calls.map(([, key]) => key);
    expect(second).not.toBe(first);
  });

  it("gives the typed text back after a reload", async () => {
    sessionStorage.setItem("munshi.draft.k", "half a ques");
    const { user, box } = show();
    expect(box.value).toBe("half a ques");
    await user.type(box, "tion");
    expect(sessionStorage.getItem("munshi.draft.k")).toBe("half a question");
  });
});
