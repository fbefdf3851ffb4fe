import { useCallback, useState } from "react";

/** Text that a person has typed and not saved, with the revision from which they started. */
export type Kept = { text: string; revision: number };

const keyOf = (draft: string, part: string) => `munshi.words.${draft}.${part}`;

/** Reports whether a part has unsaved text. */
export const isKept = (draft: string, part: string): boolean => read(keyOf(draft, part)) !== null;

function read(key: string): Kept | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    if (
      typeof kept === "object" &&
      kept !== null &&
      "text" in kept &&
      typeof kept.text === "string" &&
      "revision" in kept &&
      typeof kept.revision === "number"
    ) {
      return { text: kept.text, revision: kept.revision };
    }
  } catch {
    // Without storage, or with unreadable content in it, there is no text.
  }
  return null;
}

/** The unsaved text of a part, which survives a reload of this tab; null if there is none. */
export function useKept(draft: string, part: string): [Kept | null, (kept: Kept | null) => void] {
  const key = keyOf(draft, part);
  const [kept, setKept] = useState(() => read(key));
  const keep = useCallback(
    (next: Kept | null) => {
      setKept(next);
      try {
        if (next === null) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // It lasts until the page is left.
      }
    },
    [key],
  );
  return [kept, keep];
}
