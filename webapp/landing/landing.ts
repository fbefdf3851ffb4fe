import "./landing.css";

// The page needs none of this to be read: a switch for the theme, and answers that close each other where <details
// name> is not known.

// Built with the page, which names them by the manifest.
import.meta.glob(["./pictures/*.webp"], { eager: true, query: "?url", import: "default" });

const root = document.documentElement;
const button = document.querySelector<HTMLButtonElement>("button.theme");

/** Remembers a choice; where storage is closed to us it holds for this page. */
function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // nothing to be done
  }
}

/** Shows the pictures of the theme that is on, whatever the system's is. */
function show(): void {
  const dark = root.dataset.theme === "dark";
  for (const source of document.querySelectorAll<HTMLSourceElement>("source[data-dark]"))
    source.media = dark ? (source.dataset.dark ?? "all") : "not all";
  button?.setAttribute("aria-pressed", String(dark));
}

if (button !== null) {
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    keep("munshi.theme", root.dataset.theme);
    show();
  });
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("munshi.theme");
  } catch {
    // the system decides
  }
  if (chosen === null) root.dataset.theme = matches ? "dark" : "light";
  show();
});
show();

// The app speaks the language that was chosen here.
if (new URLSearchParams(location.search).has("lang")) keep("munshi.language", root.lang);

if (!("name" in HTMLDetailsElement.prototype)) {
  const questions = document.querySelectorAll<HTMLDetailsElement>("details");
  for (const question of questions) {
    question.addEventListener("toggle", () => {
      if (question.open) for (const other of questions) if (other !== question) other.open = false;
    });
  }
}
