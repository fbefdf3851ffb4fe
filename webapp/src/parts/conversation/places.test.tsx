import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { EvidenceOf, WithEvidence } from "@/parts/document";
import Markdown from "./Markdown";

/** The links of an answer beside the notice: their words, and where they lead. */
function links(text: string, documentId: string | null = null): [string, string][] {
  render(
    <MemoryRouter>
      <WithEvidence>
        <EvidenceOf documentId={documentId}>
          <Markdown text={text} />
        </EvidenceOf>
      </WithEvidence>
    </MemoryRouter>,
  );
  return screen
    .queryAllByRole("link")
    .map((link) => [link.textContent, decodeURIComponent((link as HTMLAnchorElement).href.replace(/^[^?]*/u, ""))]);
}

describe("the places that an answer names", () => {
  it("links a quotation to the page beside it, or to wherever it is found", () => {
    expect(links('It says “tax was not paid” (page 2), and *later* "interest is payable thereon".')).toEqual([
      ["“tax was not paid”", "?page=2#mark=tax was not paid"],
      ["page 2", "?page=2"],
      ['"interest is payable thereon"', "?pane=notice#mark=interest is payable thereon"],
    ]);
  });

  it("links a page in brackets to the words before it", () => {
    expect(links("| GSTIN | Date |\n|---|---|\n| 27ZAPCS4821K1Z6 (page 1) | see Page 12 |")).toEqual([
      ["page 1", "?page=1#near=27ZAPCS4821K1Z6"],
      ["Page 12", "?page=12"],
    ]);
  });

  it("leaves names, code and links as they are", () => {
    expect(links("The “Annexure” and `page 3` of [page 4](https://cbic-gst.gov.in).")).toEqual([["page 4", ""]]);
  });

  it("opens the document that was handed in with the turn", () => {
    expect(links("Look at page 3.", "33333333-3333-4333-8333-333333333333")).toEqual([
      ["page 3", "?page=3&document=33333333-3333-4333-8333-333333333333"],
    ]);
  });

  it("shows only the words where no document is shown", () => {
    render(<Markdown text="Look at page 3." />);
    expect(screen.queryByRole("link")).toBeNull();
    expect(screen.getByText("Look at page 3.")).toBeTruthy();
  });
});
