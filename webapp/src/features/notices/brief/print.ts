import { printAs } from "@/lib/ui/paper";

/**
 * Prints only the brief, under names that identify its notice. Folded details are unfolded on paper, and folded again
 * afterwards.
 */
export function print(...names: (string | null)[]): void {
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
  printAs(...names);
}
