/**
 * Focuses the row next to one that is about to be removed or, if that was the last, the dialog or the page's content.
 */
export function focusNeighbour(within: HTMLElement): void {
  const row = within.closest("li, tr, fieldset");
  const rows = Array.from(row?.parentElement?.children ?? []);
  const at = row === null ? -1 : rows.indexOf(row);
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0)).reverse()];
  const beside = others
    .map((other) => other.querySelector<HTMLElement>("a, button:not(:disabled), input"))
    .find((found) => found !== null);
  (beside ?? within.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector("main"))?.focus();
}
