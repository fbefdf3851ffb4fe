import { useCallback, useState } from "react";

const storageKey = (key: string) => `munshi.draft.${key}`;

/** Text that a person has typed and not sent; it survives a reload of this tab. */
export function useDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => {
    try {
      return sessionStorage.getItem(storageKey(key)) ?? "";
    } catch {
      return "";
    }
  });
  const set = useCallback(
    (next: string) => {
      setText(next);
      try {
        if (next === "") sessionStorage.removeItem(storageKey(key));
        else sessionStorage.setItem(storageKey(key), next);
      } catch {
        // Without storage, the text lasts until the page is left.
      }
    },
    [key],
  );
  return [text, set];
}
