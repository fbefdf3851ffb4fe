import { useEffect, useEffectEvent } from "react";

/** Hears of a file that is pasted anywhere on the page; a pasted text goes where it would. */
export function usePaste(onFile: (file: File) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const file = event.clipboardData?.files[0];
    if (file === undefined || event.clipboardData?.getData("text/plain") !== "") return;
    event.preventDefault();
    onFile(file);
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
