import { expect, it, test } from "vitest";
import { htmlOf } from "./rich";

it("gives HTML with headings, lists and tables that show their lines", () => {
  const html = htmlOf(
    "## Facts\n\nOf **धारा** 73.\n\n- [x] one\n  1. two\n\n| Head | Amount |\n| --- | --: |\n| IGST | ₹9,68,058 |",
  );
  for (const piece of [
    "<h2>Facts</h2>",
    "<strong>धारा</strong>",
    "☑ one",
    "<ol>",
    "<table ",
    "border: 1px solid",
    "text-align: right",
    ">₹9,68,058</td>",
  ])
    expect(html).toContain(piece);
});

it("keeps the words of a blank that was filled", () => {
  const page = document.createElement("div");
  page.innerHTML = htmlOf("Signed\n\n[Place]: Mumbai\n\n> [Date]: 12.05.2026");
  expect(page.textContent.replace(/\s+/g, " ").trim()).toBe("Signed [Place]: Mumbai [Date]: 12.05.2026");
});

test.each([
  "![seen](https://elsewhere.example/a.png)",
  "[x](javascript:alert(1))",
  "<img src=https://elsewhere.example/a.png onerror=alert(1)> <script>alert(1)</script>",
  "<style>@import 'https://elsewhere.example'</style>",
  "![a](data:image/png;base64,AAAA)",
])("%s loads and runs nothing where it is pasted", (text) => {
  const page = document.createElement("div");
  page.innerHTML = htmlOf(text);
  expect(page.querySelector("img,script,style,[src],[href]:not([href^=https]),[onerror]")).toBeNull();
});
