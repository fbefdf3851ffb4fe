import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { withFiles } from "@/parts/conversation";

/**
 * Takes files that are dropped where nothing else does, and which the browser would open in the app's place: they go
 * into the page's own field for a file, and where it has none to Notice Analysis.
 */
export function useStrayDrops(): void {
  const navigate = useNavigate();
  const onDrop = useEffectEvent((event: DragEvent) => {
    const data = event.dataTransfer;
    if (event.defaultPrevented || !data?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type !== "drop" || data.files.length === 0 || document.querySelector('[role="dialog"]') !== null) return;
    const field = document.querySelector<HTMLInputElement>('main input[type="file"]:not(:disabled)');
    if (field === null) {
      void navigate("/app/notices", { state: withFiles([...data.files]) });
      return;
    }
    field.files = data.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  useEffect(() => {
    const listener = (event: DragEvent) => {
      onDrop(event);
    };
    window.addEventListener("dragover", listener);
    window.addEventListener("drop", listener);
    return () => {
      window.removeEventListener("dragover", listener);
      window.removeEventListener("drop", listener);
    };
  }, []);
}
