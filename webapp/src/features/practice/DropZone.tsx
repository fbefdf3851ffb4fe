import { Upload } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useDropzone } from "react-dropzone";
import { useTranslation } from "react-i18next";
import { sentenceOf } from "@/lib/api";
import { isPhotograph } from "@/lib/photograph";
import { Button } from "@/lib/ui/button";
import { Progress } from "@/lib/ui/progress";
import { useDrop } from "./useDrop";

/** The maximum number of files in one upload; the server has the same limit. */
export const mostFiles = 500;

/** A page on which many documents can be dropped anywhere, with a button to select them. */
export function DropZone({ children }: { children: ReactNode }) {
  const { t } = useTranslation("practice");
  const drop = useDrop();
  const [photographs, setPhotographs] = useState<File[]>([]);
  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    multiple: true,
    onDrop: (files) => {
      // Several photographs may be pages of one document; only the user knows.
      const pictures = [...photographs, ...files.filter(isPhotograph)];
      const asks = pictures.length > 1;
      if (asks) setPhotographs(pictures);
      drop.add((asks ? files.filter((file) => !isPhotograph(file)) : files).map((file) => [file]));
    },
  });
  const { progress, failed } = drop;
  const take = (items: File[][]) => {
    setPhotographs([]);
    drop.add(items);
  };
  return (
    <div {...zone.getRootProps({ role: "presentation", className: "relative" })}>
      <input {...zone.getInputProps({ "aria-label": t("drop.button") })} data-testid="intake-input" />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button look="primary" onClick={zone.open}>
          <Upload aria-hidden />
          {t("drop.button")}
        </Button>
        <p className="max-w-prose flex-1 basis-72 text-[0.9375rem] text-ink-soft">
          {t("drop.hint", { files: mostFiles })}
        </p>
      </div>
      {photographs.length > 0 && (
        <div role="group" aria-labelledby="photographs" className="mt-4 rounded-lg bg-accent-soft p-3">
          <p id="photographs">{t("drop.photographs", { count: photographs.length })}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button
              size="small"
              onClick={() => {
                take([photographs]);
              }}
            >
              {t("drop.one", { count: photographs.length })}
            </Button>
            <Button
              size="small"
              onClick={() => {
                take(photographs.map((file) => [file]));
              }}
            >
              {t("drop.each", { count: photographs.length })}
            </Button>
          </div>
        </div>
      )}
      {progress.number > 0 && (
        <div className="mt-4 text-[0.9375rem]">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <p className="min-w-0 break-words">
              {t("drop.sending", { name: progress.name, number: progress.number, count: progress.count })}
            </p>
            <Button look="quiet" size="small" onClick={drop.cancel}>
              {t("drop.cancel")}
            </Button>
          </div>
          <Progress
            value={Math.round(100 * (progress.number - 1 + progress.share))}
            max={100 * progress.count}
            label={t("drop.button")}
            className="mt-1"
          />
          <p className="mt-1 text-sm text-ink-soft">{t("drop.keep")}</p>
        </div>
      )}
      {failed !== null && (
        <div role="alert" className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.9375rem]">
          <p className="text-overdue">
            {t("drop.failed", { count: failed.items.length })} {sentenceOf(failed.error, "")}
          </p>
          <Button size="small" onClick={drop.again}>
            {t("drop.again")}
          </Button>
        </div>
      )}
      {children}
      {zone.isDragActive && (
        <div className="pointer-events-none absolute -inset-2 z-30 grid animate-fade place-items-start justify-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/95 pt-24 text-center">
          <p className="font-serif text-xl font-semibold text-accent">{t("drop.here")}</p>
        </div>
      )}
    </div>
  );
}
