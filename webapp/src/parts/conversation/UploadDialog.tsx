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
  /** Files that were dropped or pasted elsewhere, and wait until the person has said what they are. */
  waiting: File[];
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
  /** Whether several files can be sent, one after the other. */
  several: boolean;
  /** Takes the files that follow the first, to be sent when it was; and every one where the first is not sent here. */
  onMore: (files: File[], type: string) => void;
  onClose: () => void;
};

/** The upload dialog: drop or pick PDFs, see one go, cancel it, read why it was refused. */
export function UploadDialog({ intent, types, words, sending, config, several, onMore, onClose }: Props) {
  const { t } = useTranslation("conversation");
  const { upload, share, cancel } = sending;
  const [type, setType] = useState(intent.type);
  const [refusal, setRefusal] = useState(intent.refusal);
  const [waiting, setWaiting] = useState(intent.waiting);
  const refuse = useRefusal(config);
  const processing = upload.isPending;
  const problem = useProblem(upload.error, t("upload.failed"));
  const error = processing ? null : (refusal ?? problem);

  const send = (files: File[]) => {
    const sentence = files.map(refuse).find((said) => said !== null) ?? null;
    setRefusal(sentence);
    setWaiting([]);
    upload.reset();
    const [file, ...more] = files.filter((one) => refuse(one) === null);
    if (file === undefined || (sentence !== null && files.length === 1)) return;
    // Several that each begin something of their own go on without the dialog.
    if (types.length === 0 && more.length > 0) {
      onMore([file, ...more], type);
      onClose();
      return;
    }
    if (more.length > 0) onMore(more, type);
    upload.mutate({ file, type }, { onSuccess: onClose });
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

        {waiting.length > 0 ? (
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-rule bg-paper p-4">
            <ul className="min-w-0 space-y-1">
              {waiting.map((file, index) => (
                <li key={index} className="flex items-center gap-2">
                  <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
                  {file.name}
                </li>
              ))}
            </ul>
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
          <DropArea config={config} disabled={processing} several={several} onFiles={send} className="mt-4">
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
