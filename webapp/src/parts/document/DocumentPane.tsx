import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, Download, MoveHorizontal, ZoomIn, ZoomOut } from "lucide-react";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
} from "react";
import { useTranslation } from "react-i18next";
import { documentUrl, pagesOptions, quoteOptions, type Box, type Document } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { DocumentPage } from "./DocumentPage";
import type { useEvidence } from "./evidence";
import { gap, heightOf, pageAt, pagesBetween, placePages } from "./layout";
import { usePdf } from "./usePdf";

type Props = {
  document: Document;
  /** The place at which to open it. */
  evidence: ReturnType<typeof useEvidence>;
  /** Shown at the end of the toolbar, such as the button that closes the pane. */
  children?: ReactNode;
};

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]; // 1 is the width of the frame
// In a narrower frame nothing is readable: the pane is folded.
const leastFrame = 120;

/** The pages of a document, opened at a place with the words marked. */
export function DocumentPane({ document, evidence, children }: Props) {
  const { t } = useTranslation("document");
  const pdf = usePdf(document.id);
  const sizes = useQuery({ ...pagesOptions(document.id, document.pages_read), placeholderData: keepPreviousData });
  const found = useQuery({
    ...quoteOptions(document.id, evidence?.page ?? null, evidence?.quote ?? ""),
    enabled: evidence !== null && evidence.quote !== null,
  });
  const sought = evidence !== null && evidence.quote !== null;
  const settled = !sought || found.isSuccess || found.isError;
  const markedPage = sought ? (found.data?.page ?? null) : null;
  const boxes = sought ? (found.data?.boxes ?? none) : none;
  const opened = markedPage ?? evidence?.page ?? null;

  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [scrolled, setScrolled] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);
  const width = Math.max(0, Math.round((size.width - 2 * gap) * zoom));
  const shapes = useMemo(() => sizes.data?.pages ?? [], [sizes.data]);
  const places = useMemo(() => placePages(document.pages, shapes, width), [document.pages, shapes, width]);
  const height = heightOf(places);
  // A page near the end cannot be scrolled to the top: after jumping to it, it stays current until the person scrolls.
  const [chosen, setChosen] = useState({ page: 0, scrolled: -1 });
  const current = chosen.scrolled === scrolled ? chosen.page : pageAt(places, scrolled, size.height);

  // When the zoom changes, what the person is reading stays in view.
  const before = useRef(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element !== null && before.current > 0 && height > 0 && before.current !== height) {
      element.scrollTop *= height / before.current;
    }
    if (size.width >= leastFrame) before.current = height;
  }, [height, size.width]);

  const toPage = useCallback(
    (number: number) => {
      const place = places[Math.min(Math.max(1, number), places.length) - 1];
      const element = frame.current;
      if (place === undefined || element === null) return;
      element.scrollTop = place.top - gap;
      setScrolled(element.scrollTop);
      setChosen({ page: place.number, scrolled: element.scrollTop });
    },
    [places],
  );

  // Scrolls once each time that a place is opened, as soon as its position is known.
  const shown = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (
      element === null ||
      evidence === null ||
      opened === null ||
      !settled ||
      size.width < leastFrame ||
      sizes.data === undefined
    )
      return;
    if (shown.current === evidence.key) return;
    shown.current = evidence.key;
    const place = places[opened - 1];
    const [first] = boxes;
    const shape = shapes.find(({ number }) => number === opened);
    if (place === undefined) return;
    if (first === undefined || shape === undefined) {
      toPage(opened);
      return;
    }
    const scale = width / shape.width;
    element.scrollTop = place.top + first.y0 * scale - size.height * 0.3;
    element.scrollLeft = gap + ((first.x0 + first.x1) / 2) * scale - size.width / 2;
    setScrolled(element.scrollTop);
    setChosen({ page: opened, scrolled: element.scrollTop });
  }, [boxes, evidence, opened, places, settled, shapes, size, sizes.data, toPage, width]);

  const larger = zooms.find((step) => step > zoom);
  const smaller = zooms.findLast((step) => step < zoom);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wide = width > size.width; // the left and right keys scroll then
    const does: Record<string, (() => void) | undefined> = {
      "+": () => {
        setZoom(larger ?? zoom);
      },
      "-": () => {
        setZoom(smaller ?? zoom);
      },
      "0": () => {
        setZoom(1);
      },
      ArrowLeft: wide
        ? undefined
        : () => {
            toPage(current - 1);
          },
      ArrowRight: wide
        ? undefined
        : () => {
            toPage(current + 1);
          },
    };
    const act = does[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  const says = pdf.isError
    ? t("unshown", { reason: t(reasons[pdf.error.name] ?? "broken") })
    : sought && settled && boxes.length === 0 && !evidence.loose
      ? t(markedPage === null ? "notFound" : "notMarked")
      : null;
  const drawn = pagesBetween(places, scrolled - size.height, scrolled + 2 * size.height);

  return (
    <section aria-label={t("pane", { name: document.name })} className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-11 flex-wrap items-center gap-x-1 border-b border-rule px-2">
        <PageField key={current} page={current} count={document.pages} onPage={toPage} />
        <Tool
          label={t("previous")}
          disabled={current <= 1}
          onClick={() => {
            toPage(current - 1);
          }}
        >
          <ChevronUp aria-hidden />
        </Tool>
        <Tool
          label={t("next")}
          disabled={current >= document.pages}
          onClick={() => {
            toPage(current + 1);
          }}
        >
          <ChevronDown aria-hidden />
        </Tool>
        <span className="ml-auto flex items-center">
          <Tool
            label={t("smaller")}
            disabled={smaller === undefined}
            onClick={() => {
              setZoom(smaller ?? zoom);
            }}
          >
            <ZoomOut aria-hidden />
          </Tool>
          <Tool
            label={t("larger")}
            disabled={larger === undefined}
            onClick={() => {
              setZoom(larger ?? zoom);
            }}
          >
            <ZoomIn aria-hidden />
          </Tool>
          <Tool
            label={t("fit")}
            disabled={zoom === 1}
            onClick={() => {
              setZoom(1);
            }}
          >
            <MoveHorizontal aria-hidden />
          </Tool>
          <Button look="quiet" size="icon-small" asChild>
            <a
              href={documentUrl(document.id)}
              download={document.name}
              aria-label={t("download")}
              title={t("download")}
            >
              <Download aria-hidden />
            </a>
          </Button>
          {children}
        </span>
      </div>
      {says !== null && <p className="border-b border-rule bg-due-soft px-3 py-2 text-sm text-due">{says}</p>}
      <p role="status" className="sr-only">
        {evidence !== null &&
          settled &&
          opened !== null &&
          (says ?? t(boxes.length > 0 ? "marked" : "opened", { page: opened }))}
      </p>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={frame}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={t("pages")}
        data-pages
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          setScrolled(event.currentTarget.scrollTop);
        }}
        className="min-h-0 flex-1 overflow-auto overscroll-contain bg-margin [scrollbar-gutter:stable] focus-visible:-outline-offset-2"
      >
        <div className="relative mx-auto" style={{ width: width + 2 * gap, height }}>
          {width > 0 &&
            drawn.map((place) => (
              <DocumentPage
                key={place.number}
                documentId={document.id}
                pdf={pdf.data ?? null}
                asText={pdf.isError}
                place={place}
                width={width}
                shape={shapes.find(({ number }) => number === place.number) ?? null}
                boxes={place.number === markedPage ? boxes : none}
              />
            ))}
        </div>
      </div>
    </section>
  );
}

const none: Box[] = [];

// By the names of pdf.js's errors.
const reasons: Partial<Record<string, "locked" | "missing">> = {
  PasswordException: "locked",
  ResponseException: "missing",
};

type FieldProps = { page: number; count: number; onPage: (page: number) => void };

/** Shows the current page; entering another number goes there. */
function PageField({ page, count, onPage }: FieldProps) {
  const { t } = useTranslation("document");
  const [text, setText] = useState(String(page));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1) onPage(Math.min(number, count));
    else setText(String(page));
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-1.5 text-sm whitespace-nowrap text-ink-soft tabular-nums">
      <input
        inputMode="numeric"
        aria-label={t("page")}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
        onFocus={(event) => {
          event.target.select();
        }}
        onBlur={() => {
          setText(String(page));
        }}
        className="h-8 w-11 rounded border border-rule-strong/60 bg-sheet px-1.5 text-center text-ink"
      />
      {t("of", { count })}
    </form>
  );
}

type ToolProps = { label: string; disabled: boolean; onClick: () => void; children: ReactNode };

function Tool({ label, disabled, onClick, children }: ToolProps) {
  return (
    <Button look="quiet" size="icon-small" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      {children}
    </Button>
  );
}
