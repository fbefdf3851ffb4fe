/** Prints the brief alone: all that can be opened is open on paper, and closed again on the screen. */
export function print(): void {
  const closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")].filter(
    (fold) => fold.closest(".brief") !== null || fold.querySelector(".brief") !== null,
  );
  for (const fold of closed) fold.open = true;
  document.documentElement.dataset.paper = "brief";
  window.addEventListener(
    "afterprint",
    () => {
      for (const fold of closed) fold.open = false;
      delete document.documentElement.dataset.paper;
    },
    { once: true },
  );
  window.print();
}
