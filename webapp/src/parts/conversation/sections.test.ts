import { expect, it, test } from "vitest";
import { sections } from "./sections";

test.each([
  ["", 1],
  ["only text\n\nand more", 1],
  ["# One\ntext\n## Two\ntext\n", 2],
  ["before\n# One\n# Two", 3],
  ["```\n# not a heading\n```\n# heading", 2],
  ["~~~\n```\n# inside\n~~~\n# after", 2],
  ["```\n# never closed", 1],
  ["#hashtag\n#1", 1],
])("%j has %d sections", (markdown, count) => {
  expect(sections(markdown)).toHaveLength(count);
});

it("loses no letter, however the text is cut while it streams", () => {
  const text = "intro\r\n\n# A\n\n```md\n# code\n````\n## B ##\n\n| a |\n|---|\n\n### C\nनोटिस";
  for (let end = 0; end <= text.length; end++) {
    expect(sections(text.slice(0, end)).join("")).toBe(text.slice(0, end));
  }
});
