/**
 * Prints the page under names: what it is, and what identifies its notice. Browsers offer the title of the page as the
 * name of the PDF, so they are the title until it is printed.
 */
export function printAs(...names: (string | null | undefined)[]): void {
  const before = document.title;
  document.title = fileName(names);
  window.addEventListener(
    "afterprint",
    () => {
      document.title = before;
    },
    { once: true },
  );
  window.print();
}

/** What no file system takes, or what browsers would write in another way. */
const forbidden = /[\\/:*?"<>|\p{C}]+/gu;

/** Joins names to the name of a file, without its ending. */
export function fileName(names: (string | null | undefined)[]): string {
  const name = names
    .map((one) => (one ?? "").replace(forbidden, "-").replace(/\s+/g, " ").trim())
    .filter((one) => one !== "")
    .join(" ");
  return Array.from(name)
    .slice(0, 120)
    .join("")
    .replace(/^\.+|[. ]+$/g, "");
}

/** What identifies a notice to a person, as far as it was read: client, form and reference. */
export function namesIn(facts: unknown): string[] {
  if (typeof facts !== "object" || facts === null) return [];
  const of = facts as Record<string, unknown>;
  const text = (key: string) => (typeof of[key] === "string" ? of[key] : "");
  return [text("legal_name") || text("trade_name"), text("form"), text("reference")].filter((name) => name !== "");
}
