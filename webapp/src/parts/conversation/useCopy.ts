import { useTranslation } from "react-i18next";
import { useCopied } from "@/lib/ui/copy";
import type { Mark } from "./marks";

/**
 * Copies a text and says so for a moment. Markdown is also copied with its formatting, for mails and word processors,
 * with its marks as footnotes.
 */
export function useCopy(text: string, markdown: boolean, marks: Mark[] = []) {
  const { t } = useTranslation("conversation");
  return useCopied(async () => {
    if (!markdown) {
      await navigator.clipboard.writeText(text);
      return;
    }
    const [{ htmlOf, notesOf }, { withFootnotes }] = await Promise.all([import("./rich"), import("./footnotes")]);
    const title = t("footnotes.title");
    const notes = notesOf(t, marks);
    const plain = withFootnotes(
      text,
      notes.map(({ mark: { end }, note }) => ({ end, note })),
      title,
    );
    if (typeof ClipboardItem === "undefined") {
      await navigator.clipboard.writeText(plain);
      return;
    }
    await navigator.clipboard.write([
      new ClipboardItem({
        "text/plain": new Blob([plain], { type: "text/plain" }),
        "text/html": new Blob([htmlOf(text, notes, title)], { type: "text/html" }),
      }),
    ]);
  }, t("copyFailed"));
}
