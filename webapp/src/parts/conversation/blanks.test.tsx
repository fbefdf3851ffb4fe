import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderElement } from "@test/render";
import { blanksIn } from "./blanks";
import Markdown from "./Markdown";

test("blanks are what nobody supplied, and what is to be confirmed", () => {
  const text =
    "Of […] at [… place], [...], [To be confirmed: the day (rule 142)], but not [Annexure 1], [x] or […\nover lines].";
  expect(blanksIn(text).map(({ from, to }) => text.slice(from, to))).toEqual([
    "[…]",
    "[… place]",
    "[...]",
    "[To be confirmed: the day (rule 142)]",
  ]);
});

test("a blank is marked as one, whatever stands in it, and never over the end of a paragraph", async () => {
  renderElement(
    <Markdown
      blanks
      text={
        "Of […], **[… the *day*, section 73] and** [… no\n\nend].\n\n- […]\n- x\n\n| a | [… b] |\n| --- | --- |\n| [… | c] |"
      }
    />,
  );
  await waitFor(() => {
    const of = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
    expect(of("[data-blank]")).toEqual(["[…]", "[… the ", "[…]", "[… b]"]);
    expect(of("[data-blank-rest]")).toEqual(["day", ", section 73]"]);
  });
});
