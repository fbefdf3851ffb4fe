/** Prints only the brief. Folded details are unfolded on paper, and folded again afterwards. */
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
