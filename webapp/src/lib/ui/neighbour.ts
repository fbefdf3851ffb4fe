/** Puts the focus on the row beside the one that is about to go, or where that was the last on the page's content. */
export function focusNeighbour(within: HTMLElement): void {
  const row = within.closest("li");
  const beside = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>("a");
  (beside ?? document.querySelector("main"))?.focus();
}
