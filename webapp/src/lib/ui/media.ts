import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds, followed as it changes; the width of paper is no other screen. */
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
