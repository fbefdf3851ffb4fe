import { FileText } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { PublicConfig } from "@/lib/api";
import { isData } from "@/lib/data";
import { isPhotograph } from "@/lib/photograph";
import { term } from "@/lib/terms";
import { DataUse } from "@/parts/privacy";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Spinner } from "@/lib/ui/spinner";
import { DropArea } from "./DropArea";
import { Processing } from "./Processing";
import { WithPhotographs } from "./WithPhotographs";
import { useProblem } from "./useProblem";
import { useRefusal, type UploadIntent } from "./useRefusal";
import type { useUpload } from "./useUpload";
import type { Words } from "./words";

// Loaded separately, since it is rarely needed.
const PhotographPages = lazy(() => import("./PhotographPages"));

const each = (files: File[]) => files.map((file) => [file]);

type Props = {
  intent: UploadIntent;
  /** Document types to choose from; empty if only the document of the conversation can be uploaded. */
  types: string[];
  words: Pick<Words, "upload" | "again">;
  sending: ReturnType<typeof useUpload>;
  config: PublicConfig | undefined;
  /** The path of the page for files of figures; null if none are accepted. */
  figures: string | null;
  /** True if several files can be sent, one after the other. */
  several: boolean;
  /** Takes the papers after the first, to be sent later; or all papers, if the first is not sent here. */
  onMore: (papers: File[][], type: string) => void;
  onClose: () => void;
};

/**
 * The upload dialog: drop or select PDFs, follow the progress, cancel, and see why a file was refused. Photographs are
 * put in order first, since they are the pages of one paper.
 */
export function UploadDialog({ intent, types, words, sending, config, figures, several, onMore, onClose }: Props) {
  const { t } = useTranslation("conversation");
  const navigate = useNavigate();
  const { upload, share, cancel } = sending;
  const [type, setType] = useState(intent.type);
  const [refusal, setRefusal] = useState(intent.refusal);
  const [waiting, setWaiting] = useState(intent.waiting.filter((file) => !isPhotograph(file)));
  const [pages, setPages] = useState(intent.waiting.filter(isPhotograph));
  const refuse = useRefusal(config);
  const processing = upload.isPending;
  const problem = useProblem(upload.error, t("upload.failed"));
  const error = processing ? null : (refusal ?? problem);

  const send = (files: File[]) => {
    if (figures !== null && files.every(isData)) {
      setRefusal(null);
      upload.mutate(
        { files, type: types.includes(type) && type !== t("upload.supporting") ? type : "", to: "figures" },
        {
          onSuccess: () => {
            onClose();
            void navigate(figures);
          },
        },
      );
      return;
    }
    if (files.some(isPhotograph)) {
      const others = files.filter((file) => !isPhotograph(file));
      const only = several || others.length === 0 ? null : t("photographs.mixed");
      setRefusal(others.map(refuse).find((said) => said !== null) ?? only);
      setPages([...pages, ...files.filter(isPhotograph)]);
      setWaiting(several ? [...waiting, ...others.filter((file) => refuse(file) === null)] : []);
      upload.reset();
      return;
    }
    const sentence = files.map(refuse).find((said) => said !== null) ?? null;
    setRefusal(sentence);
    setWaiting([]);
    upload.reset();
    const good = files.filter((one) => refuse(one) === null);
    const [file, ...more] = several ? good : good.slice(0, 1);
    if (file === undefined || (sentence !== null && files.length === 1)) return;
    // Several files that each start their own conversation are sent without the dialog.
    if (types.length === 0 && more.length > 0) {
      onMore(each([file, ...more]), type);
      onClose();
      return;
    }
    if (more.length > 0) onMore(each(more), type);
    upload.mutate({ files: [file], type }, { onSuccess: onClose });
  };

  /** Sends the photographs as one paper, and the PDFs that were chosen with them. */
  const sendPages = () => {
    setRefusal(null);
    const others = each(waiting);
    if (others.length > 0 && types.length === 0) {
      onMore([...others, pages], type);
      onClose();
      return;
    }
    if (others.length > 0) onMore(others, type);
    setWaiting([]); // they are in the queue, should the photographs be refused
    upload.mutate({ files: pages, type }, { onSuccess: onClose });
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
      <DialogContent
        title={types.length === 0 ? words.upload : t("upload.document")}
        closeLabel={t("upload.close")}
        holds={pages.length > 0 || processing}
      >
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
                  {term(option)}
                </option>
              ))}
              {words.again !== null && <option value="">{words.again}</option>}
            </select>
          </label>
        )}

        {pages.length > 0 && !processing ? (
          <div className="mt-4">
            <Suspense fallback={<Spinner />}>
              <PhotographPages
                pages={pages}
                disabled={processing}
                onChange={(changed) => {
                  setPages(changed);
                  setRefusal(null);
                  upload.reset();
                }}
                onMore={send}
              />
            </Suspense>
            <WithPhotographs files={waiting} />
            <Button look="primary" className="mt-3 w-full" onClick={sendPages}>
              {waiting.length > 0 ? t("photographs.sendAll") : t("photographs.send", { count: pages.length })}
            </Button>
          </div>
        ) : waiting.length > 0 ? (
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
          <DropArea config={config} disabled={processing} figures={figures !== null} onFiles={send} className="mt-4">
            {processing && (
              <Processing
                share={share}
                words={pages.length > 0 ? t("photographs.processing") : t("upload.processing")}
              />
            )}
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
