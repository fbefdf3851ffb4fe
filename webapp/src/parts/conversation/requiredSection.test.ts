import { describe, expect, it, test } from "vitest";
import type { RequiredDocument } from "@/lib/api";
import { requiredSection, withoutList } from "./requiredSection";

const needed = (type: string, reason = ""): RequiredDocument => ({
  type,
  name: type,
  reason,
  state: "needed",
  document_id: null,
});
const register = needed("Purchase register", "to match each credit");
const returns = needed("GSTR-2A and GSTR-3B", "to compare");

describe("requiredSection", () => {
  test.each([
    "Required Document(s):\n- A: x\n- B",
    "## Required Documents\n\n* A: x\n* B\n",
    "**Required Document(s):**\n1. A: x\n2. B",
    "### 7. Required Documents:\n\n- A: x\n\n- B\n\nAfterwards",
    "Required documents:\n- A:\n  x\n- B\n## Next",
  ])("finds the items of %j", (text) => {
    expect(requiredSection(text)?.items.map((item) => item.replace(/\s+/g, " ").trim())).toEqual(["A: x", "B"]);
  });

  test.each(["", "The required documents are many.", "Required Documents:\nnone", "- Required documents: see above"])(
    "finds none in %j",
    (text) => {
      expect(requiredSection(text)).toBeNull();
    },
  );
});

describe("withoutList", () => {
  it("leaves the list to the block that shows the same", () => {
    const text =
      "## Analysis\n\nText.\n\n## Required Document(s):\n- **Purchase register**: to match each credit\n- GSTR-2A and GSTR-3B: to compare\n\nRegards";
    expect(withoutList(text, [returns, register])).toBe("## Analysis\n\nText.\n\n\nRegards");
  });

  it.each([
    ["an entry that the block lacks", "Required Documents:\n- Purchase register: to match each credit\n- Ledger"],
    ["a reason that says more", "Required Documents:\n- Purchase register: to match each credit, month by month"],
    ["a note under an entry", "Required Documents:\n- Purchase register: to match each credit\n  - for 2020-21 only"],
  ])("keeps %s", (_, text) => {
    expect(withoutList(text, [register])).toBe(text);
  });

  it("changes nothing where no list is", () => {
    expect(withoutList("Just an answer.", [register])).toBe("Just an answer.");
  });
});
