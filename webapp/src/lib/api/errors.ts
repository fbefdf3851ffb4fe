import { answersIn } from "@/lib/i18n";
import { base } from "@/lib/place";
import { readMessage, say, type Message } from "@/lib/message";
import { client } from "./generated/client.gen";
import { workingFetch } from "./work";

/** A request that the server refused, or that did not reach the server. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The server's stable code, such as not_a_pdf; "offline" if there was no answer. */
  readonly code: string;
  /** The server's English sentence for people; null if there is none. */
  readonly sentence: string | null;
  /** What the server said, as a message with its code; null if it said nothing. */
  readonly said: Message | null;

  constructor(status: number, body: unknown) {
    const problem = isRecord(body) ? body : {};
    const sentence = typeof problem.detail === "string" && problem.detail !== "" ? problem.detail : null;
    super(sentence ?? `request failed with status ${String(status)}`);
    this.name = "ApiError";
    this.status = status;
    this.sentence = sentence;
    this.said = readMessage(problem.said);
    this.code = status === 0 ? "offline" : typeof problem.code === "string" ? problem.code : "unknown";
  }
}

/** Returns the sentence to show for an error, in the current language; the fallback if the server sent none. */
export function sentenceOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return say(error.said) || (error.sentence ?? fallback);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

client.interceptors.error.use((error, response: Response | undefined) => {
  if (error instanceof DOMException && error.name === "AbortError") return error;
  return new ApiError(response?.status ?? 0, error);
});

client.setConfig({ ...(base === "" ? {} : { baseUrl: base }), fetch: workingFetch });

// The server answers in the language of this header.
client.interceptors.request.use((request) => {
  if (!request.headers.has("Accept-Language")) request.headers.set("Accept-Language", answersIn());
  return request;
});
