import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { withFiles } from "@/parts/conversation";

/** Returns the file input of the page. */
const field = () => document.querySelector<HTMLInputElement>('main input[type="file"]:not(:disabled)');
const isDialogOpen = () => document.querySelector('[role="dialog"]') !== null;

/**
 * Accepts files that are dropped outside any drop area, which the browser would otherwise open instead of the app. They
 * go to the file input of the page or, if it has none, to Notice Analysis. While files are dragged over the page, it
 * says where they will go.
 */
export function StrayDrops() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [over, setOver] = useState<"field" | "notices" | null>(null);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const data = event.dataTransfer;
    if (event.defaultPrevented || !data?.types.includes("Files")) {
      setOver(null); // another drop area will take them
      return;
    }
    event.preventDefault();
    const place = isDialogOpen() ? null : field() === null ? "notices" : "field";
    setOver(event.type === "drop" ? null : place);
    if (event.type !== "drop" || data.files.length === 0 || place === null) return;
    const own = field();
    if (own === null) {
      void navigate("/app/notices", { state: withFiles([...data.files]) });
      return;
    }
    own.files = data.files;
    own.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const onLeave = useEffectEvent((event: DragEvent) => {
    if (event.relatedTarget === null) setOver(null); // the pointer has left the window
  });
  useEffect(() => {
    const drag = (event: DragEvent) => {
      onDrag(event);
    };
    const leave = (event: DragEvent) => {
      onLeave(event);
    };
    window.addEventListener("dragover", drag);
    window.addEventListener("drop", drag);
    window.addEventListener("dragleave", leave);
    return () => {
      window.removeEventListener("dragover", drag);
      window.removeEventListener("drop", drag);
      window.removeEventListener("dragleave", leave);
    };
  }, []);
  if (over === null) return null;
  return (
    <div className="pointer-events-none fixed inset-3 z-40 grid animate-fade place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/95 text-center">
      <p className="px-6 font-serif text-xl font-semibold text-accent">{t(`drop.${over}`)}</p>
    </div>
  );
}
