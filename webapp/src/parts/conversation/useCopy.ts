import { useTranslation } from "react-i18next";
import { useCopied } from "@/lib/ui/copy";

/**
 * Copies a text and says for a moment that it did; Markdown also as it looks, for pasting into a mail or a word
 * processor.
 */
export function useCopy(text: string, markdown: boolean) {
  const { t } = useTranslation("conversation");
  return useCopied(() => put(text, markdown), t("copyFailed"));
}

async function put(text: string, markdown: boolean) {
  if (!markdown || typeof ClipboardItem === "undefined") {
    await navigator.clipboard.writeText(text);
    return;
  }
  const { htmlOf } = await import("./rich");
  await navigator.clipboard.write([
    new ClipboardItem({
      "text/plain": new Blob([text], { type: "text/plain" }),
      "text/html": new Blob([htmlOf(text)], { type: "text/html" }),
    }),
  ]);
}
