import { CircleCheck, CircleDashed, FileUp, Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { documentUrl, type FollowUp, type RequiredDocument } from "@/lib/api";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { useWorks } from "@/lib/works";
import { CopyButton, WordLink } from "./Answer";

type Props = {
  documents: RequiredDocument[];
  followUp: FollowUp | null;
  /** The address of the message that asks for them, as a Word file. */
  word: string;
  disabled: boolean;
  /** Gets the name of a document. */
  onPick: ((name: string) => void) | null;
  /** Ends the wait for documents. */
  onClose: () => void;
};

/** The papers that were requested; selecting one opens the upload dialog for it. */
export function RequiredDocuments({ documents, followUp, word, disabled: busy, onPick, onClose }: Props) {
  const works = useWorks();
  const disabled = busy || !works;
  const { t } = useTranslation("conversation");
  const received = documents.filter(({ state }) => state !== "needed").length;
  const list = documents
    .map(({ type, reason }) => (reason === "" ? `- ${term(type)}` : `- ${term(type)}: ${term(reason)}`))
    .join("\n");
  return (
    <section
      aria-labelledby="required-documents"
      className="mt-6 max-w-2xl rounded-2xl border border-rule bg-sheet px-5 pt-4 pb-2"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id="required-documents" className="font-serif text-lg font-semibold">
          {t("required.title")}
        </h3>
        <p className="text-sm text-ink-soft tabular-nums">
          {t("required.count", { received, count: documents.length })}
        </p>
      </div>
      <ul className="mt-1 divide-y divide-rule">
        {documents.map((document, index) => (
          <li key={index} className="group relative flex items-start gap-3 py-3">
            <State state={document.state} />
            <div className="min-w-0 flex-1">
              <button
                type="button"
                disabled={disabled}
                onClick={() => {
                  onPick?.(document.name);
                }}
                className="rounded text-left font-medium after:absolute after:inset-0 group-hover:text-accent disabled:group-hover:text-ink"
              >
                {term(document.type)}
              </button>
              {document.reason !== "" && <p className="text-[0.9375rem] text-ink-soft">{term(document.reason)}</p>}
            </div>
            <div className="flex shrink-0 flex-col items-end text-sm">
              {document.state === "needed" ? (
                <span
                  className={cn("flex min-h-6 items-center gap-1.5 text-accent print:hidden", !works && "invisible")}
                >
                  <Upload aria-hidden className="size-4" />
                  <span className="max-xs:sr-only">{t("required.upload")}</span>
                </span>
              ) : (
                <span className="min-h-6 text-ink-soft">{t(`required.${document.state}`)}</span>
              )}
              {document.document_id !== null && (
                <a
                  href={documentUrl(document.document_id)}
                  target="_blank"
                  rel="noopener"
                  className="relative z-10 text-accent underline underline-offset-2 print:hidden"
                >
                  {t("openPdf")}
                </a>
              )}
            </div>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-t border-rule pt-1">
        <div className="flex flex-wrap items-center gap-x-3">
          <CopyButton text={list} markdown label={t("required.copy")} />
          <WordLink href={word} label={t("required.word")} />
        </div>
        {followUp !== null && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
            {t(`required.followUp.${followUp.state}`)}
            {followUp.state === "waiting" && works && (
              <Button look="quiet" size="small" onClick={onClose}>
                {t("required.close")}
              </Button>
            )}
          </p>
        )}
      </div>
    </section>
  );
}

function State({ state }: { state: RequiredDocument["state"] }) {
  const { t } = useTranslation("conversation");
  const Icon = { needed: CircleDashed, uploaded: FileUp, reviewed: CircleCheck }[state];
  const colour = { needed: "text-rule-strong", uploaded: "text-accent", reviewed: "text-safe" }[state];
  return (
    <span className={colour}>
      <Icon aria-hidden className="mt-0.5 size-5" />
      <span className="sr-only">{t(`required.${state}`)}: </span>
    </span>
  );
}
