import { useQuery } from "@tanstack/react-query";
import { Download, FileSpreadsheet, Mail } from "lucide-react";
import { useDropzone } from "react-dropzone";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import {
  figuresWorkbookUrl,
  publicConfigOptions,
  sentenceOf,
  supplierLettersUrl,
  type FigureClass,
  type ConversationDetail,
  type FigureAllegation,
} from "@/lib/api";
import { dataTypes } from "@/lib/data";
import { fileSize } from "@/lib/format";
import { spoken } from "@/lib/i18n";
import { Processing, Steps, useProblem, useUpload, WordFile, type ConversationView } from "@/parts/conversation";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Skeleton } from "@/lib/ui/skeleton";
import { useWorks, Works } from "@/lib/works";
import { Allegation } from "./Allegation";
import { Documents } from "./Documents";
import { Files } from "./Files";
import { Late } from "./Late";
import { useFigures } from "./useFigures";

type Props = { detail: ConversationDetail; view: ConversationView };

/** The files from the portal and the books that are compared with a notice, and the result. */
export function FiguresView({ detail, view }: Props) {
  const { t } = useTranslation("figures");
  const { query, remove, choose } = useFigures(detail.id, view);
  const works = useWorks();
  const shown = query.data;
  const files = shown?.files ?? [];
  const allegations = shown?.allegations ?? [];
  const late = shown?.late ?? null;
  const found = allegations.length > 0 || late !== null;
  const compared = shown?.computed_at !== null;
  const comparing = view.working && view.turn?.kind === "figures";
  // Once there is a result it comes first, and the files behind it; one that was refused has to be seen.
  const settled = compared && !comparing && found && files.every((file) => file.problem === null);
  const listed = shown !== undefined && files.length > 0 && (
    <section className="mt-6">
      <h2 className="font-medium">{t("files.title", { count: files.length })}</h2>
      <Files
        files={files}
        onRemove={
          view.working || !works
            ? null
            : (file) => {
                remove.mutate(file.id, {
                  onError: (error) => {
                    toast.error(sentenceOf(error, t("files.removeFailed")));
                  },
                });
              }
        }
        onChoose={
          view.working || !works
            ? null
            : (file, columns) => {
                choose.mutate(
                  { file: file.id, columns },
                  {
                    onError: (error) => {
                      toast.error(sentenceOf(error, t("columns.failed")));
                    },
                  },
                );
              }
        }
      />
      {shown.repeated > 0 && <p className="mt-2 text-sm text-ink-soft">{t("repeated", { count: shown.repeated })}</p>}
    </section>
  );
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div
      role="region"
      aria-label={t("title")}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
    >
      <div className="mx-auto w-full max-w-6xl px-4 pt-5 pb-16 sm:px-6">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-72">
            <h1 className="font-serif text-xl leading-7 font-semibold">{t("title")}</h1>
            <p className="max-w-prose text-[0.9375rem] text-ink-soft">{t("hint")}</p>
          </div>
          {shown !== undefined && compared && (
            <div className="flex flex-wrap gap-2">
              <Button look="primary" asChild>
                <WordFile href={figuresWorkbookUrl(detail.id, spoken())}>
                  <Download aria-hidden />
                  {t("download")}
                </WordFile>
              </Button>
              {(shown.classes ?? []).some(askable) && (
                <Button asChild>
                  <WordFile href={supplierLettersUrl(detail.id)}>
                    <Mail aria-hidden />
                    {t("letters")}
                  </WordFile>
                </Button>
              )}
            </div>
          )}
        </div>
        <Works>
          <Drop conversation={detail.id} view={view} small={files.length > 0} />
        </Works>
        {comparing && view.turn !== null && (
          <div className="mt-4" role="status" aria-label={t("working")}>
            <Steps turn={view.turn} />
          </div>
        )}
        {query.isPending ? (
          <div className="mt-6 space-y-4" role="status" aria-label={t("loading")}>
            <Skeleton className="h-7 w-2/3" />
            <Skeleton />
          </div>
        ) : shown === undefined ? (
          <div className="mt-6 text-center">
            <p role="alert">{sentenceOf(query.error, t("failed"))}</p>
            <Button size="small" className="mt-2" onClick={() => void query.refetch()}>
              {t("again")}
            </Button>
          </div>
        ) : (
          <>
            {!settled && listed}
            {files.length > 0 && !comparing && !found && <p className="mt-4">{t("noGstr")}</p>}
            {allegations.filter(alleged).map((allegation) => (
              <Allegation key={allegation.what} allegation={allegation} names={shown.names} open />
            ))}
            {late !== null && <Late late={late} />}
            {allegations.some((one) => !alleged(one)) && (
              <section className="mt-8">
                {allegations.some(alleged) && <p className="text-sm text-ink-soft">{t("others")}</p>}
                {allegations
                  .filter((one) => !alleged(one))
                  .map((allegation) => (
                    <Allegation key={allegation.what} allegation={allegation} names={shown.names} open={false} />
                  ))}
              </section>
            )}
            {compared && <Documents conversation={detail.id} shown={shown} />}
            {settled && listed}
          </>
        )}
      </div>
    </div>
  );
}

/** Reports whether suppliers can be asked to confirm documents of a class. */
const askable = ({ what, class: name }: FigureClass) =>
  what === "credit_claimed" && ["only_books", "supplier_open", "amount_differs"].includes(name);

/** Reports whether the notice alleges what is compared. */
const alleged = ({ notice, paragraphs }: FigureAllegation) => notice !== null || (paragraphs ?? []).length > 0;

type DropProps = { conversation: string; view: ConversationView; small: boolean };

/** The area where several files can be dropped or selected. */
function Drop({ conversation, view, small }: DropProps) {
  const { t } = useTranslation("figures");
  const config = useQuery(publicConfigOptions()).data;
  const sending = useUpload(
    () => Promise.resolve(conversation),
    (_, turn) => view.accept(turn),
  );
  const { upload, share } = sending;
  const problem = useProblem(upload.error, t("sendFailed"));
  const disabled = view.working || upload.isPending;
  const zone = useDropzone({
    multiple: true,
    disabled,
    useFsAccessApi: false,
    noDragEventsBubbling: true,
    onDrop: (files) => {
      if (files.length > 0) upload.mutate({ files, type: "", to: "figures" });
    },
  });
  return (
    <>
      <input
        {...zone.getInputProps({ accept: `${dataTypes},.pdf`, disabled, "aria-label": t("drop"), tabIndex: -1 })}
        data-testid="figures-input"
      />
      <div
        {...zone.getRootProps({
          role: "button",
          "aria-label": t("drop"),
          "aria-disabled": disabled,
          className: cn(
            "mt-4 grid place-items-center rounded-xl border-2 border-dashed p-4 text-center transition-colors",
            !small && "min-h-44",
            zone.isDragActive ? "border-accent bg-accent-soft" : "border-rule-strong/60 bg-paper",
            !disabled && "cursor-pointer hover:border-accent",
          ),
        })}
      >
        {upload.isPending ? (
          <Processing share={share} words={t("sending")} />
        ) : (
          <div>
            <FileSpreadsheet aria-hidden className="mx-auto size-7 text-accent" strokeWidth={1.5} />
            <p className="mt-1 font-medium">{t("drop")}</p>
            <p className="text-sm text-ink-soft">
              {config !== undefined && t("formats", { size: fileSize(config.upload.max_bytes) })}
            </p>
          </div>
        )}
      </div>
      {problem !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {problem}
        </p>
      )}
    </>
  );
}
