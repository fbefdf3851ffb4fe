import { render, screen } from "@testing-library/react";
import { describe, expect, it, test } from "vitest";
import Markdown from "./Markdown";

function show(text: string): HTMLElement {
  return render(<Markdown text={text} />).container;
}

describe("hostile Markdown", () => {
  test.each([
    ["an image", "![alt text](https://evil.example/p.png)"],
    ["an image in a link", "[![x](//evil.example/p.png)](https://evil.example)"],
    ["an image by reference", "![x][r]\n\n[r]: https://evil.example/p.png"],
    ["a data image", "![x](data:image/png;base64,AAAA)"],
    [
      "HTML that loads",
      '<img src="https://evil.example/p.png" onerror="alert(1)"><iframe src="https://evil.example"></iframe>',
    ],
    ["script", "<script>alert(1)</script>"],
    ["style", "<style>@import 'https://evil.example/x.css'</style><link rel=stylesheet href=https://evil.example>"],
    ["SVG", "<svg><image href='https://evil.example'/></svg>"],
    ["media", "<video src=https://evil.example autoplay></video><object data=https://evil.example></object>"],
    ["forms", "<form action=https://evil.example><input name=q><button>go</button></form>"],
  ])("%s makes no element that could load or run", (_, text) => {
    const page = show(text);
    expect(
      page.querySelector(
        "img,iframe,script,style,link,svg,image,video,audio,object,embed,form,input,button,[src],[style]",
      ),
    ).toBeNull();
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "&#106;avascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:http://x/y",
    "//evil.example",
    "/api/turns",
    "#top",
    "relative/path",
  ])("a link to %s is only its words", (href) => {
    const page = show(`[words](<${href}>)`);
    expect(page.querySelector("a")).toBeNull();
    expect(page.textContent).toContain("words");
  });

  it("shows where a link really leads", () => {
    show("[https://gst.gov.in](https://gst.gov.in@evil.example/login)");
    const link = screen.getByRole("link");
    expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    expect(link.getAttribute("target")).toBe("_blank");
    expect(screen.getByText("(evil.example)")).toBeTruthy();
  });

  it.each([
    ["<https://gst.gov.in@evil.example/login>", "https://gst.gov.in@evil.example/login (evil.example)"],
    ["[gst.gov.in, not evil.example](https://evil.example)", "gst.gov.in, not evil.example (evil.example)"],
    ["[evil.example.gov.in](https://evil.example)", "evil.example.gov.in (evil.example)"],
    ["www.gst.gov.in/help", "www.gst.gov.in/help"],
    ["[gst.gov.in](https://gst.gov.in)", "gst.gov.in"],
  ])("%s reads %s", (text, shown) => {
    expect(show(text).textContent).toBe(shown);
  });

  it("does not repeat an address that is already there", () => {
    const page = show("<https://cbic-gst.gov.in/act> and [mail](mailto:help@gst.gov.in)");
    expect(page.textContent).toBe("https://cbic-gst.gov.in/act and mail (help@gst.gov.in)");
  });

  it("shows raw HTML as the text it is", () => {
    expect(show("Under <b>section 73</b>").textContent).toContain("<b>section 73</b>");
  });
});

it("gives a wide table a frame of its own to scroll in", () => {
  show("| Head | Tax |\n|---|---:|\n| IGST | ₹2,18,460 |");
  const frame = screen.getByRole("region", { name: "Table" });
  expect(frame.querySelector("table")).toBeTruthy();
  expect(frame.tabIndex).toBe(0);
});
