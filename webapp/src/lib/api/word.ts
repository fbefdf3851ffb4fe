import { ApiError } from "./errors";

/** Downloads a Word file, with the name under which to save it. */
export async function wordFile(url: string): Promise<{ name: string; content: Blob }> {
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true) throw new ApiError(response?.status ?? 0, await response?.json().catch(() => null));
  const disposition = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition)?.[1];
  const name = encoded === undefined ? /filename="?([^";]+)"?/i.exec(disposition)?.[1] : decodeURIComponent(encoded);
  return { name: name ?? "document.docx", content: await response.blob() };
}
