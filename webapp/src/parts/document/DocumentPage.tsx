import { useQuery } from "@tanstack/react-query";
import { lazy, memo, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { pageOptions, type Box, type PageSize, type PageText } from "@/lib/api";
import { gap, type Place } from "./layout";
import type { Pdf } from "./pdf";

const PdfPage = lazy(() => import("./pdf"));

type Props = {
  documentId: string;
  /** Null while it is being opened, or if it cannot be. */
  pdf: Pdf | null;
  /** True to show the text that was read instead of the image. */
  asText: boolean;
  place: Place;
  width: number;
  /** Null for a page that was not read. */
  shape: PageSize | null;
  /** The boxes to mark. */
  boxes: Box[];
};

/** A page in the column: its image with selectable text and marks over it; or only its text. */
export const DocumentPage = memo(function DocumentPage({ documentId, pdf, asText, place, width, shape, boxes }: Props) {
  const { t } = useTranslation("document");
  const recognised = shape?.method === "recognition";
  const style = { top: place.top, left: gap, width, height: place.height };
  return (
    <section
      aria-label={t("pageNumber", { page: place.number })}
      data-page={place.number}
      className="page-sheet absolute overflow-hidden shadow-lift"
      style={style}
    >
      {asText ? (
        <ReadText documentId={documentId} number={place.number} unread={shape === null} />
      ) : (
        pdf !== null && (
          <Suspense>
            <PdfPage pdf={pdf} number={place.number} width={width} selectable={!recognised} />
          </Suspense>
        )
      )}
      {!asText && recognised && <RecognisedText documentId={documentId} shape={shape} width={width} />}
      {!asText && shape !== null && boxes.map((box, index) => <Mark key={index} box={box} shape={shape} />)}
    </section>
  );
});

/** Words highlighted as if with a marker pen. */
function Mark({ box, shape }: { box: Box; shape: PageSize }) {
  const pad = 1.5; // in points, around the words
  return (
    <mark
      aria-hidden
      className="page-mark"
      style={{
        left: `${String((100 * (box.x0 - pad)) / shape.width)}%`,
        top: `${String((100 * (box.y0 - pad)) / shape.height)}%`,
        width: `${String((100 * (box.x1 - box.x0 + 2 * pad)) / shape.width)}%`,
        height: `${String((100 * (box.y1 - box.y0 + 2 * pad)) / shape.height)}%`,
      }}
    />
  );
}

/** The words of a recognised page at their positions: invisible, but they can be selected and read aloud. */
function RecognisedText({ documentId, shape, width }: { documentId: string; shape: PageSize; width: number }) {
  const words = useQuery(pageOptions(documentId, shape.number)).data?.words ?? [];
  const scale = width / shape.width;
  return (
    <div className="recognised-text" style={{ fontSize: scale }}>
      {words.map(({ text, box }, index) => (
        // In em, so that a change of the width moves them all at once.
        <span
          key={index}
          style={{
            left: `${String(box.x0)}em`,
            top: `${String(box.y0)}em`,
            width: `${String(box.x1 - box.x0)}em`,
            height: `${String(box.y1 - box.y0)}em`,
          }}
        >
          <span style={{ fontSize: `${String((box.y1 - box.y0) * 0.9)}em` }}>{`${text} `}</span>
        </span>
      ))}
    </div>
  );
}

/** The text that was read from a page, if the page itself cannot be shown. */
function ReadText({ documentId, number, unread }: { documentId: string; number: number; unread: boolean }) {
  const { t } = useTranslation("document");
  const page = useQuery({ ...pageOptions(documentId, number), enabled: !unread });
  if (unread || page.isError) return <p className="p-4 text-sm text-ink-soft">{t("unread")}</p>;
  return (
    <pre
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={t("textOf", { page: number })}
      className="h-full overflow-auto bg-sheet p-4 font-sans text-sm whitespace-pre-wrap text-ink"
    >
      {textOf(page.data)}
    </pre>
  );
}

const textOf = (page: PageText | undefined) => page?.text ?? "";
