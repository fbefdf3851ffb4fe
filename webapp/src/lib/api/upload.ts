import { answersIn } from "@/lib/i18n";
import { isPhotograph } from "@/lib/photograph";
import { base } from "@/lib/place";
import { ApiError } from "./errors";
import type { LinkInterview, Turn } from "./generated";
import { workHeader, workIn, workOut } from "./work";

type Upload = Typed & {
  conversationId: string;
  /** Figures are data files for comparison with a notice, several at once. */
  to?: "documents" | "figures" | undefined;
};

/** What is sent, independent of the address. */
type Sending = {
  /** One PDF, or the photographs of its pages in order. */
  files: File[];
  idempotencyKey: string;
  signal: AbortSignal;
  /** Called with the share that has been sent, 0 to 1. */
  onProgress: (share: number) => void;
};

type Typed = Sending & {
  /** The type of the document that the person chose; empty for the document that the conversation is about. */
  type: string;
  /** The values of the plugin's other inputs. */
  inputs?: Record<string, string> | undefined;
};

/** Uploads a document, and returns the turn that it started. */
export const uploadDocument = async ({ conversationId, to = "documents", ...sending }: Upload): Promise<Turn> =>
  (await deliver({
    ...sending,
    fields: fieldsOf(sending),
    address: `${base}/api/conversations/${encodeURIComponent(conversationId)}/${to}`,
  })) as Turn;

/** Uploads a paper through a link, and returns what the link shows afterwards. */
export const uploadByLink = async ({ token, ...sending }: Typed & { token: string }): Promise<LinkInterview> =>
  (await deliver({
    ...sending,
    fields: fieldsOf(sending),
    address: "/api/link/documents",
    headers: { "Munshi-Link": token },
  })) as LinkInterview;

/** Uploads a file to a batch: a PDF, a ZIP of documents, or the photographs of one document's pages. */
export async function uploadToBatch(batch: string, sending: Sending & { listed?: string }): Promise<void> {
  const { listed, ...rest } = sending;
  await deliver({
    ...rest,
    ...(listed === undefined ? {} : { fields: { listed } }),
    address: `${base}/api/batches/${encodeURIComponent(batch)}/files`,
  });
}

type Delivery = Sending & { address: string; headers?: Record<string, string>; fields?: Record<string, string> };

function fieldsOf({ type, inputs }: Typed): Record<string, string> {
  const fields: Record<string, string> = {};
  if (type !== "") fields.type = type;
  if (inputs !== undefined) fields.inputs = JSON.stringify(inputs);
  return fields;
}

async function deliver(given: Delivery): Promise<unknown> {
  const upload = given.files.some(isPhotograph) ? { ...given, files: await shrunkOf(given.files) } : given;
  let stamp = "";
  for (let tries = 0; ; tries++) {
    const { status, body } = await sent(upload, stamp);
    if (status >= 200 && status < 300) return body;
    const refused = status === 0 ? await refusal(upload, stamp) : { status, body };
    const proof = workIn(refused.status, refused.body);
    if (proof === null || tries === 3) throw new ApiError(refused.status, refused.body);
    stamp = await workOut(proof, upload.signal);
  }
}

/** One after the other, to save memory on a phone. */
async function shrunkOf(files: File[]): Promise<File[]> {
  const { shrunk } = await import("@/lib/shrunk");
  const out: File[] = [];
  for (const file of files) out.push(await shrunk(file));
  return out;
}

type Answer = { status: number; body: unknown };

/**
 * Finds out why a file was refused before it had been sent completely: a browser that is still sending may lose the
 * answer, so the request is repeated without the file. The status is 0 if the connection is down, or if only the file
 * was wrong.
 */
async function refusal(upload: Delivery, stamp: string): Promise<Answer> {
  const headers = {
    ...upload.headers,
    "Idempotency-Key": upload.idempotencyKey,
    "Accept-Language": answersIn(),
    [workHeader]: stamp,
  };
  try {
    const answer = await fetch(upload.address, {
      method: "POST",
      headers,
      body: new FormData(),
      signal: upload.signal,
    });
    const body = parse(await answer.text());
    const known = [402, 409, 429, 503].includes(answer.status);
    return known ? { status: answer.status, body } : { status: 0, body: null };
  } catch (error) {
    if (upload.signal.aborted) throw error;
    return { status: 0, body: null };
  }
}

/** Sends the file. It does not use fetch, which cannot report how much has been sent. */
function sent(upload: Delivery, stamp: string): Promise<Answer> {
  const form = new FormData();
  for (const file of upload.files) form.append("file", file);
  for (const [name, value] of Object.entries(upload.fields ?? {})) form.append(name, value);

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = () => {
      request.abort();
    };
    upload.signal.addEventListener("abort", cancel, { once: true });

    request.open("POST", upload.address);
    for (const [name, value] of Object.entries(upload.headers ?? {})) request.setRequestHeader(name, value);
    if (stamp !== "") request.setRequestHeader(workHeader, stamp);
    request.setRequestHeader("Idempotency-Key", upload.idempotencyKey);
    request.setRequestHeader("Accept-Language", answersIn());
    request.responseType = "text";
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) upload.onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      resolve({ status: request.status, body: parse(request.responseText) });
    };
    request.onerror = () => {
      resolve({ status: 0, body: null });
    };
    request.onabort = () => {
      reject(cancelled());
    };
    request.onloadend = () => {
      upload.signal.removeEventListener("abort", cancel);
    };
    // A request that was never sent does not report that it was aborted.
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
