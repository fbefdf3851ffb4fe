import { useCallback, useSyncExternalStore } from "react";

/** Returns whether a media query matches, and follows changes; changes while printing are ignored. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      const follow = () => {
        if (!matchMedia("print").matches) listener();
      };
      media.addEventListener("change", follow);
      return () => {
        media.removeEventListener("change", follow);
      };
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
