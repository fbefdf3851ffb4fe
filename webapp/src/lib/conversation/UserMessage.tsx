import { FileText } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { documentUrl, type Document, type Message } from "@/lib/api";
import { fileSize } from "@/lib/format";

/** What a person said, right-aligned, with the document that it brought. */
export const UserMessage = memo(function UserMessage({ message, document }: { message: Message; document: Document | undefined }) {
  const { t } = useTranslation("conversation");
  return (
    <article aria-label={t("you")} data-question className="flex justify-end">
      <div className="max-w-[85%] rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5">
        <p className="whitespace-pre-wrap">{message.text}</p>
        {document !== undefined && (
          <a
            href={documentUrl(document.id)}
            target="_blank"
            rel="noopener"
            className="mt-2 mb-1 flex items-center gap-2.5 rounded-lg bg-sheet px-3 py-2 text-[0.9375rem] hover:text-accent"
          >
            <FileText aria-hidden className="size-5 shrink-0 text-accent" />
            <span className="min-w-0">
              <span className="line-clamp-2 font-medium">{document.name}</span>
              <span className="block text-sm text-ink-soft tabular-nums">
                {document.pages > 0 ? t("pagesAndSize", { count: document.pages, size: fileSize(document.bytes) }) : fileSize(document.bytes)}
              </span>
            </span>
          </a>
        )}
        {document?.damaged === true && <p className="mb-1 text-sm text-due">{t("damaged")}</p>}
      </div>
    </article>
  );
});
