import { FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PublicConfig } from "@/lib/api";
import { fileSize } from "@/lib/format";
import { told } from "@/lib/told";
import { DataUse } from "@/parts/privacy";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Progress } from "@/lib/ui/progress";
import { Spinner } from "@/lib/ui/spinner";
import { DropArea } from "./DropArea";
import { useProblem } from "./useProblem";
import type { useUpload } from "./useUpload";
import type { Words } from "./words";

/** Why and for what the dialog is open. */
export type UploadIntent = {
  /** The document type that was picked; empty for what the conversation is about. */
  type: string;
  /** A file that was dropped or pasted elsewhere, and waits until the person has said what it is. */
  waiting: File | null;
  /** Why a file that was dropped or pasted elsewhere cannot be sent. */
  refusal: string | null;
};

/** Says why a file is not even sent, or null; the server looks closer. */
export function useRefusal(config: PublicConfig | undefined): (file: File) => string | null {
  const { t } = useTranslation("conversation");
  return (file) => {
    if (file.type !== "application/pdf") return t("upload.notPdf");
    const limit = config?.upload.max_bytes;
    if (limit !== undefined && file.size > limit) {
      return t("upload.tooLarge", { size: fileSize(file.size), limit: fileSize(limit) });
    }
    return null;
  };
}

type Props = {
  intent: UploadIntent;
  /** Document types to choose from; none when only the document that the conversation is about can be meant. */
  types: string[];
  words: Pick<Words, "upload" | "again">;
  sending: ReturnType<typeof useUpload>;
  config: PublicConfig | undefined;
  onClose: () => void;
};

/** The upload dialog: drop or pick a PDF, see it go, cancel it, read why it was refused. */
export function UploadDialog({ intent, types, words, sending, config, onClose }: Props) {
  const { t } = useTranslation("conversation");
  const { upload, share, cancel } = sending;
  const [type, setType] = useState(intent.type);
  const [refusal, setRefusal] = useState(intent.refusal);
  const [waiting, setWaiting] = useState(intent.waiting);
  const refuse = useRefusal(config);
  const processing = upload.isPending;
  const problem = useProblem(upload.error, t("upload.failed"));
  const error = processing ? null : (refusal ?? problem);

  const send = (file: File) => {
    const sentence = refuse(file);
    setRefusal(sentence);
    setWaiting(null);
    upload.reset();
    if (sentence === null) upload.mutate({ file, type }, { onSuccess: onClose });
  };

  const close = () => {
    cancel();
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <DialogContent title={types.length === 0 ? words.upload : t("upload.document")} closeLabel={t("upload.close")}>
        {types.length > 0 && (
          <label className="mt-3 block">
            <span className="text-sm font-medium text-ink-soft">{t("upload.what")}</span>
            <select
              value={type}
              disabled={processing}
              onChange={(event) => {
                setType(event.target.value);
              }}
              className="mt-1 min-h-11 w-full rounded-lg border border-rule-strong/60 bg-paper px-3"
            >
              {(intent.type === "" || types.includes(intent.type) ? types : [...types, intent.type]).map((option) => (
                <option key={option} value={option}>
                  {told(option)}
                </option>
              ))}
              {words.again !== null && <option value="">{words.again}</option>}
            </select>
          </label>
        )}

        {waiting !== null ? (
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-rule bg-paper p-4">
            <p className="flex min-w-0 items-center gap-2">
              <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
              {waiting.name}
            </p>
            <Button
              look="primary"
              onClick={() => {
                send(waiting);
              }}
            >
              {t("upload.send")}
            </Button>
          </div>
        ) : (
          <DropArea config={config} disabled={processing} onFile={send} className="mt-4">
            {processing && <Processing share={share} />}
          </DropArea>
        )}

        <div className="mt-3 flex min-h-9 items-start justify-between gap-4">
          {error === null ? (
            <DataUse config={config} />
          ) : (
            <p role="alert" className="text-[0.9375rem] text-overdue">
              {error}
            </p>
          )}
          {processing && (
            <Button size="small" onClick={cancel}>
              {t("upload.cancel")}
            </Button>
          )}
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** How far a file has been sent. */
export function Processing({ share, words }: { share: number; words?: string }) {
  const { t } = useTranslation("conversation");
  const percent = Math.round(share * 100);
  return (
    <div className="w-full max-w-64">
      <Spinner className="mx-auto size-8" />
      <p role="status" className="mt-3 font-medium">
        {words ?? t("upload.processing")}
      </p>
      <Progress value={percent} max={100} label={t("upload.sent")} className="mt-3" />
      <p className="mt-1 text-sm text-ink-soft tabular-nums">{t("upload.percent", { percent })}</p>
    </div>
  );
}
