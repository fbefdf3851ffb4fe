import { useCallback, useState } from "react";

/** Words that a person has typed and not saved, with the revision of what they began from. */
export type Kept = { text: string; revision: number };

const keyOf = (draft: string, part: string) => `munshi.words.${draft}.${part}`;

/** Whether there are unsaved words of a part. */
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
    // Without storage, or with what is none of ours in it, there is nothing.
  }
  return null;
}

/** The unsaved words of a part, kept in this tab over a reload; null for none. */
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
        // They last until the page is left.
      }
    },
    [key],
  );
  return [kept, keep];
}
