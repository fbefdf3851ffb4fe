/**
 * Puts the focus on the row beside the one that is about to go, in the next group or the one before where it is alone
 * in its own; where it was the last of all, on the dialog or the page's content.
 */
export function focusNeighbour(within: HTMLElement): void {
  const row = within.closest<HTMLElement>(rows);
  const list = row?.parentElement ?? null;
  const beside = control(around(row)) ?? control(rowsOf(around(list?.closest("section") ?? null)));
  (beside ?? within.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector("main"))?.focus();
}

const rows = "li, tr, fieldset";

type Around = { after: Element[]; before: Element[] };

/** What stands beside an element in its parent, the nearest first. */
function around(element: Element | null): Around {
  const all = Array.from(element?.parentElement?.children ?? []);
  const at = element === null ? -1 : all.indexOf(element);
  return { after: all.slice(at + 1), before: all.slice(0, Math.max(at, 0)).reverse() };
}

/** The rows of groups: sections with a list in them. */
function rowsOf({ after, before }: Around): Around {
  const inside = (group: Element) => (group.matches("section") ? Array.from(group.querySelectorAll(rows)) : []);
  return { after: after.flatMap(inside), before: before.flatMap((group) => inside(group).reverse()) };
}

/** The first thing in these rows that takes the focus. */
function control({ after, before }: Around): HTMLElement | undefined {
  for (const row of [...after, ...before]) {
    const found = row.querySelector<HTMLElement>("a, button:not(:disabled), input");
    if (found !== null) return found;
  }
  return undefined;
}
