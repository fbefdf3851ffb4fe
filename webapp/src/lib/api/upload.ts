import { answersIn } from "@/lib/i18n";
import { ApiError } from "./errors";
import type { Turn } from "./generated";

type Upload = {
  conversationId: string;
  file: File;
  /** What the person says it is; empty for what the conversation is about. */
  type: string;
  /** What was given for the plugin's other inputs. */
  inputs?: Record<string, string> | undefined;
  idempotencyKey: string;
  signal: AbortSignal;
  /** Called with the share that has been sent, 0 to 1. */
  onProgress: (share: number) => void;
};

/** Sends a PDF and gives the turn it started. Not by fetch, which cannot tell how much has been sent. */
export function uploadDocument(upload: Upload): Promise<Turn> {
  const form = new FormData();
  form.append("file", upload.file);
  if (upload.type !== "") form.append("type", upload.type);
  if (upload.inputs !== undefined) form.append("inputs", JSON.stringify(upload.inputs));

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = () => {
      request.abort();
    };
    upload.signal.addEventListener("abort", cancel, { once: true });

    request.open("POST", `/api/conversations/${encodeURIComponent(upload.conversationId)}/documents`);
    request.setRequestHeader("Idempotency-Key", upload.idempotencyKey);
    request.setRequestHeader("Accept-Language", answersIn());
    request.responseType = "text";
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) upload.onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as Turn);
      else reject(new ApiError(request.status, body));
    };
    request.onerror = () => {
      reject(new ApiError(0, null));
    };
    request.onabort = () => {
      reject(cancelled());
    };
    request.onloadend = () => {
      upload.signal.removeEventListener("abort", cancel);
    };
    // A request that was never sent would not say that it was aborted.
    if (upload.signal.aborted) reject(cancelled());
    else request.send(form);
  });
}

function cancelled(): DOMException {
  return new DOMException("The upload was cancelled.", "AbortError");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
