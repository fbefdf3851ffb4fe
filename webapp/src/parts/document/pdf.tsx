import { Page, pdfjs } from "react-pdf";
import "react-pdf/dist/Page/TextLayer.css";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

// The only module that uses pdf.js, which is large and therefore loaded with the first document.

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

export type Pdf = pdfjs.PDFDocumentProxy;

const parts = new URL(import.meta.env.DEV ? "/node_modules/pdfjs-dist/" : `/${__PDF_PARTS__}/`, window.location.href);

/** Opens the PDF at an address. It fails if the file is not a PDF, is badly damaged, or is locked. */
export async function openPdf(url: string, signal: AbortSignal): Promise<Pdf> {
  const task = pdfjs.getDocument({
    url,
    wasmUrl: new URL("wasm/", parts).href,
    iccUrl: new URL("iccs/", parts).href,
    standardFontDataUrl: new URL("standard_fonts/", parts).href,
  });
  const give = () => void task.destroy();
  signal.addEventListener("abort", give);
  try {
    return await task.promise;
  } catch (error) {
    void task.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", give);
  }
}

type Props = { pdf: Pdf; number: number; width: number; selectable: boolean };

/** A page as an image, with selectable text over it. */
export default function PdfPage({ pdf, number, width, selectable }: Props) {
  return (
    <Page
      pdf={pdf}
      pageNumber={number}
      width={width}
      devicePixelRatio={Math.min(window.devicePixelRatio, 2)}
      renderTextLayer={selectable}
      renderAnnotationLayer={false}
      suspense={false}
      loading={null}
      error={null}
      noData={null}
      canvasBackground="white"
    />
  );
}

/** Draws a part of a page, given in fractions of its width and height, into a canvas of this width in pixels. */
export async function drawPart(
  pdf: Pdf,
  number: number,
  part: { x: number; y: number; width: number; height: number },
  canvas: HTMLCanvasElement,
  pixels: number,
): Promise<void> {
  const page = await pdf.getPage(number);
  const whole = page.getViewport({ scale: 1 });
  const scale = pixels / (part.width * whole.width);
  const viewport = page.getViewport({
    scale,
    offsetX: -part.x * whole.width * scale,
    offsetY: -part.y * whole.height * scale,
  });
  canvas.width = Math.ceil(pixels);
  canvas.height = Math.ceil(part.height * whole.height * scale);
  await page.render({ canvas, viewport, background: "white" }).promise;
}
