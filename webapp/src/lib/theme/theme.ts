import { useSyncExternalStore } from "react";

/** What a person chose; "system" follows the device. */
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
  // The browser's own bar takes the colour of the paper.
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", getComputedStyle(document.documentElement).getPropertyValue("--paper").trim());
}

/** Follows the device's theme, and what another tab chose, also while no switch is on the screen. */
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
  window.addEventListener("storage", changed); // another tab chose
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
    // Without storage the system decides.
  }
  for (const changed of listeners) changed();
}

/** The person's choice of theme, kept in this browser, and the way to change it. */
export function useTheme(): { choice: ThemeChoice; choose: (choice: ThemeChoice) => void } {
  return { choice: useSyncExternalStore(subscribe, read), choose };
}
