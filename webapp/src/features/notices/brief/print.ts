/** Prints the brief: all that can be opened is open on paper, and closed again on the screen. */
export function print(): void {
  const closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")].filter(
    (fold) => fold.closest(".brief") !== null || fold.querySelector(".brief") !== null,
  );
  for (const fold of closed) fold.open = true;
  window.addEventListener(
    "afterprint",
    () => {
      for (const fold of closed) fold.open = false;
    },
    { once: true },
  );
  window.print();
}
