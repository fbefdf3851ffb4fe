import { FileText, PenLine } from "lucide-react";
import { memo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { documentUrl, type Document, type Message } from "@/lib/api";
import { fileSize } from "@/lib/format";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { EditQuestion } from "./EditQuestion";

type Props = {
  message: Message;
  document: Document | undefined;
  /** Asks the question again in other words; left out if that is not possible. */
  onEdit?: ((text: string, key: string) => Promise<unknown>) | undefined;
};

/** A message of the person, right-aligned, with its document. */
export const UserMessage = memo(function UserMessage({ message, document, onEdit }: Props) {
  const { t } = useTranslation("conversation");
  const [editing, setEditing] = useState(false);
  const pen = useRef<HTMLButtonElement>(null);
  if (editing && onEdit !== undefined) {
    return (
      <EditQuestion
        text={message.text}
        onSend={onEdit}
        onClose={() => {
          setEditing(false);
          requestAnimationFrame(() => pen.current?.focus());
        }}
      />
    );
  }
  return (
    <article aria-label={t("you")} data-question className="flex flex-col items-end">
      <div className="max-w-[85%] rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5">
        <p className="break-words whitespace-pre-wrap">{term(message.text)}</p>
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
                {document.pages > 0
                  ? t("pagesAndSize", { count: document.pages, size: fileSize(document.bytes) })
                  : fileSize(document.bytes)}
              </span>
            </span>
          </a>
        )}
        {document?.damaged === true && <p className="mb-1 text-sm text-due">{t("damaged")}</p>}
      </div>
      {onEdit !== undefined && (
        <Button
          ref={pen}
          look="quiet"
          size="small"
          className="mt-1 -mr-3 min-h-8"
          onClick={() => {
            setEditing(true);
          }}
        >
          <PenLine aria-hidden />
          {t("edit")}
        </Button>
      )}
    </article>
  );
});
