import { useEffect, useEffectEvent } from "react";

/** Handles files that are pasted anywhere on the page; pasted text is left to the browser. */
export function usePaste(onFiles: (files: File[]) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || event.clipboardData?.getData("text/plain") !== "") return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => {
      onPaste(event);
    };
    window.addEventListener("paste", listener);
    return () => {
      window.removeEventListener("paste", listener);
    };
  }, []);
}
