import { afterEach, expect, it, vi } from "vitest";
import { fileName, namesIn, printAs } from "./paper";

afterEach(() => {
  vi.restoreAllMocks();
});

it("names what is printed by its notice, and gives the page its title back", () => {
  document.title = "Notice Analysis";
  const named = vi.spyOn(window, "print").mockImplementation(() => {
    expect(document.title).toBe("GST Notice Reply Asha Traders DRC-01 ZD-27-0");
  });
  printAs("GST Notice Reply", ...namesIn({ legal_name: "Asha Traders", form: "DRC-01", reference: "ZD/27/0" }));
  expect(named).toHaveBeenCalledOnce();
  window.dispatchEvent(new Event("afterprint"));
  expect(document.title).toBe("Notice Analysis");
});

it("makes a name that every file system takes", () => {
  expect(fileName(['"M/s <Asha>"\u202e: Co?', null, "", "..", "राम ट्रेडर्स"])).toBe("-M-s -Asha- Co- .. राम ट्रेडर्स");
  expect(fileName(["a".repeat(300), "b"])).toHaveLength(120);
  expect(fileName(["Reply."])).toBe("Reply");
});

it("says nothing of a notice that was not read", () => {
  expect(namesIn(null)).toEqual([]);
  expect(namesIn({ trade_name: "Asha", form: null, reference: 7 })).toEqual(["Asha"]);
});
