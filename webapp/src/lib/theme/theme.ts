import { useSyncExternalStore } from "react";

/** The chosen theme; "system" follows the device. */
export type ThemeChoice = "system" | "light" | "dark";

// public/theme.js reads the same key before the first paint.
const key = "munshi.theme";
const listeners = new Set<() => void>();
const systemDark = () => matchMedia("(prefers-color-scheme: dark)");

function read(): ThemeChoice {
  try {
    const stored = localStorage.getItem(key);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

function apply(): void {
  const choice = read();
  const dark = choice === "dark" || (choice === "system" && systemDark().matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  // The browser's own toolbar takes the colour of the page.
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", getComputedStyle(document.documentElement).getPropertyValue("--paper").trim());
}

/** Follows the device's theme and choices in other tabs, even while no switch is shown. */
export function followTheme(): void {
  systemDark().addEventListener("change", apply);
  window.addEventListener("storage", apply);
}

function subscribe(listener: () => void): () => void {
  const changed = () => {
    apply();
    listener();
  };
  const system = systemDark();
  listeners.add(changed);
  system.addEventListener("change", changed);
  window.addEventListener("storage", changed); // another tab has chosen a theme
  return () => {
    listeners.delete(changed);
    system.removeEventListener("change", changed);
    window.removeEventListener("storage", changed);
  };
}

function choose(choice: ThemeChoice): void {
  try {
    if (choice === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // Without storage, the device decides.
  }
  for (const changed of listeners) changed();
}

/** Returns the chosen theme, which is stored in this browser, and a function to choose another. */
export function useTheme(): { choice: ThemeChoice; choose: (choice: ThemeChoice) => void } {
  return { choice: useSyncExternalStore(subscribe, read), choose };
}
