import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { useKept } from "./kept";

function Field({ onMade }: { onMade: () => void }) {
  useState(onMade);
  const [text, setText] = useState("");
  return (
    <input
      aria-label="Field"
      value={text}
      onChange={(event) => {
        setText(event.target.value);
      }}
    />
  );
}

function TwoPlaces({ onMade }: { onMade: () => void }) {
  const [at, setAt] = useState("nowhere");
  const { made, place } = useKept(<Field onMade={onMade} />);
  return (
    <>
      {["nowhere", "left", "right"].map((name) => (
        <button
          key={name}
          onMouseDown={(event) => {
            event.preventDefault();
            setAt(name);
          }}
        >
          {name}
        </button>
      ))}
      {at === "left" && <aside>{place}</aside>}
      {at === "right" && <main>{place}</main>}
      {made}
    </>
  );
}

it("keeps a piece of the page when it is put into another place, with what is typed and the focus", async () => {
  const user = userEvent.setup();
  const onMade = vi.fn();
  render(<TwoPlaces onMade={onMade} />);
  expect(onMade).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "left" }));
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Field" });
  await user.type(field, "half a ques");
  const made = onMade.mock.calls.length;
  await user.click(screen.getByRole("button", { name: "right" }));
  expect(screen.getByRole("main").contains(field)).toBe(true);
  expect(field.value).toBe("half a ques");
  expect(document.activeElement).toBe(field);
  await user.keyboard("tion");
  expect(field.value).toBe("half a question");
  expect(onMade).toHaveBeenCalledTimes(made);
});
