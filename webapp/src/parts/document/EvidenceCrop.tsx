import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { pageOptions, quoteOptions, type Box } from "@/lib/api";
import { usePdf } from "./usePdf";

type Props = { documentId: string; page: number; quote: string };

// Margin around the words, in points, to show what is next to them.
const around = { x: 14, y: 6 };
// A taller part would no longer be a small picture.
const tallest = 60;

/** A small picture of the place with these words, cut from the page; nothing if it cannot be drawn. */
export function EvidenceCrop({ documentId, page, quote }: Props) {
  const { t } = useTranslation("document");
  const pdf = usePdf(documentId).data;
  const found = useQuery(quoteOptions(documentId, page, quote)).data;
  const number = found?.page ?? page;
  const shape = useQuery(pageOptions(documentId, number)).data;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<"not yet" | "drawn" | "failed">("not yet");
  const box = found === undefined ? null : lines(found.boxes);

  useEffect(() => {
    const element = canvas.current;
    if (pdf === undefined || shape === undefined || box === null || element === null) return;
    let over = false;
    const part = {
      x: Math.max(0, box.x0 - around.x) / shape.width,
      y: Math.max(0, box.y0 - around.y) / shape.height,
      width: Math.min(shape.width, box.x1 - box.x0 + 2 * around.x) / shape.width,
      height: Math.min(shape.height, box.y1 - box.y0 + 2 * around.y) / shape.height,
    };
    // Twice its size on paper, in the resolution of the screen.
    const pixels = Math.round(part.width * shape.width * 2 * Math.min(window.devicePixelRatio, 2));
    void import("./pdf")
      .then(({ drawPart }) => drawPart(pdf, number, part, element, pixels))
      .then(
        () => {
          if (!over) setDrawn("drawn");
        },
        () => {
          if (!over) setDrawn("failed");
        },
      );
    return () => {
      over = true;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a box is its four numbers
  }, [pdf, shape, number, box?.x0, box?.y0, box?.x1, box?.y1]);

  if (box === null || shape === undefined || drawn === "failed") return null;
  return (
    <span role="img" aria-label={t("crop", { page: number, words: quote })} className="block">
      <canvas
        ref={canvas}
        className="page-sheet block max-w-full rounded border border-rule"
        style={{ width: (box.x1 - box.x0 + 2 * around.x) * 2 }}
      />
    </span>
  );
}

/** Returns what the first lines of the boxes cover; null if there are none. */
function lines(boxes: Box[]): Box | null {
  const [first] = boxes;
  if (first === undefined) return null;
  return boxes.reduce(
    (all, box) =>
      Math.max(all.y1, box.y1) - Math.min(all.y0, box.y0) > tallest
        ? all
        : {
            x0: Math.min(all.x0, box.x0),
            y0: Math.min(all.y0, box.y0),
            x1: Math.max(all.x1, box.x1),
            y1: Math.max(all.y1, box.y1),
          },
    first,
  );
}
