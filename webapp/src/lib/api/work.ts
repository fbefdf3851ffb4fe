import type { Proof } from "./proof";

const proving = new EventTarget();

/** The header with the proof of work. */
export const workHeader = "Munshi-Work";

/** Calls tell whenever the browser starts or stops computing a proof of work; returns a function to stop this. */
export function onWork(tell: (working: boolean) => void): () => void {
  const begun = () => {
    tell(true);
  };
  const done = () => {
    tell(false);
  };
  proving.addEventListener("begun", begun);
  proving.addEventListener("done", done);
  return () => {
    proving.removeEventListener("begun", begun);
    proving.removeEventListener("done", done);
  };
}

/** Returns the proof of work that an answer requires; null if it requires none. */
export function workIn(status: number, body: unknown): Proof | null {
  if (status !== 429 || typeof body !== "object" || body === null || !("work" in body)) return null;
  const { work } = body;
  if (typeof work !== "object" || work === null || !("challenge" in work) || !("bits" in work)) return null;
  const { challenge, bits } = work;
  return typeof challenge === "string" && typeof bits === "number" && bits <= 30 ? { challenge, bits } : null;
}

/** Computes the proof of work in a worker, and reports that it is working. */
export async function workOut(proof: Proof, signal?: AbortSignal): Promise<string> {
  if (typeof Worker === "undefined") return (await import("./proof")).solve(proof);
  const worker = new Worker(new URL("./proof.worker.ts", import.meta.url), { type: "module" });
  worker.postMessage(proof);
  proving.dispatchEvent(new Event("begun"));
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string>) => {
        resolve(data);
      };
      worker.onerror = (event) => {
        reject(new Error(event.message));
      };
      const stop = () => {
        reject(new DOMException("The request was cancelled.", "AbortError"));
      };
      if (signal?.aborted === true) stop();
      signal?.addEventListener("abort", stop, { once: true });
    });
  } finally {
    worker.terminate();
    proving.dispatchEvent(new Event("done"));
  }
}

// Others at the same address may raise the difficulty meanwhile.
const tries = 3;

/** fetch that computes a proof of work if the server requires one, and then repeats the request. */
export const workingFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  let again = request.clone();
  let answer = await fetch(request);
  for (let n = 0; n < tries && answer.status === 429; n++) {
    const body: unknown = await answer
      .clone()
      .json()
      .catch(() => null);
    const proof = workIn(answer.status, body);
    if (proof === null) break;
    const next = again.clone();
    again.headers.set(workHeader, await workOut(proof, request.signal));
    answer = await fetch(again);
    again = next;
  }
  return answer;
};
