/**
 * Focuses the row next to one that is about to be removed, or one in the next group if it is the only row of its group.
 * If it is the last of all, it focuses the dialog or the page's content.
 */
export function focusNeighbour(within: HTMLElement): void {
  const row = within.closest<HTMLElement>(rows);
  const list = row?.parentElement ?? null;
  const beside = control(around(row)) ?? control(rowsOf(around(list?.closest("section") ?? null)));
  (beside ?? within.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector("main"))?.focus();
}

const rows = "li, tr, fieldset";

type Around = { after: Element[]; before: Element[] };

/** Returns the siblings of an element, the nearest first. */
function around(element: Element | null): Around {
  const all = Array.from(element?.parentElement?.children ?? []);
  const at = element === null ? -1 : all.indexOf(element);
  return { after: all.slice(at + 1), before: all.slice(0, Math.max(at, 0)).reverse() };
}

/** Returns the rows in those siblings that are groups, which are sections with a list. */
function rowsOf({ after, before }: Around): Around {
  const inside = (group: Element) => (group.matches("section") ? Array.from(group.querySelectorAll(rows)) : []);
  return { after: after.flatMap(inside), before: before.flatMap((group) => inside(group).reverse()) };
}

/** Returns the first control in these rows that can take the focus. */
function control({ after, before }: Around): HTMLElement | undefined {
  for (const row of [...after, ...before]) {
    const found = row.querySelector<HTMLElement>("a, button:not(:disabled), input");
    if (found !== null) return found;
  }
  return undefined;
}
