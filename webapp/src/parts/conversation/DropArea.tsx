import { Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useDropzone } from "react-dropzone";
import { useTranslation } from "react-i18next";
import type { PublicConfig } from "@/lib/api";
import { dataTypes } from "@/lib/data";
import { fileSize } from "@/lib/format";
import { documentTypes } from "@/lib/photograph";
import { cn } from "@/lib/ui/cn";
import { CameraButton } from "./PickPhotographs";

type Props = {
  config: PublicConfig | undefined;
  disabled: boolean;
  /** True if files of figures are accepted too. */
  figures?: boolean;
  /** Gets at least one file; several may be photographs of one paper. */
  onFiles: (files: File[]) => void;
  className?: string;
  /** Shown in the area instead of the invitation. */
  children?: ReactNode;
};

/** The area where a PDF or photographs can be dropped, selected by click or key, or taken with the camera. */
export function DropArea({ config, disabled, figures = false, onFiles, className, children = false }: Props) {
  const { t } = useTranslation("conversation");
  const zone = useDropzone({
    multiple: true,
    disabled,
    useFsAccessApi: false,
    onDrop: (files) => {
      if (files.length > 0) onFiles(files);
    },
  });
  return (
    <>
      {/* Next to the area and not inside it, since controls must not be nested. */}
      <input
        {...zone.getInputProps({
          accept: figures ? `${documentTypes},${dataTypes}` : documentTypes,
          disabled,
          "aria-label": t("upload.drop"),
          tabIndex: -1,
        })}
        data-testid="file-input"
      />
      <div
        {...zone.getRootProps({
          role: "button",
          "aria-label": t("upload.drop"),
          "aria-disabled": disabled,
          className: cn(
            "grid min-h-52 place-items-center rounded-xl border-2 border-dashed p-6 text-center transition-colors",
            zone.isDragActive ? "border-accent bg-accent-soft" : "border-rule-strong/60 bg-paper",
            !disabled && "cursor-pointer hover:border-accent",
            className,
          ),
        })}
      >
        {children !== false ? (
          children
        ) : (
          <div>
            <Upload aria-hidden className="mx-auto size-8 text-accent" strokeWidth={1.5} />
            <p className="mt-3 font-medium">{t("upload.drop")}</p>
            <p className="mt-1 text-sm text-ink-soft">{t("upload.format")}</p>
            {figures && <p className="text-sm text-ink-soft">{t("upload.figures")}</p>}
            {config !== undefined && (
              <p className="text-sm text-ink-soft">
                {t("upload.limits", { size: fileSize(config.upload.max_bytes), pages: config.upload.max_pages })}
              </p>
            )}
          </div>
        )}
      </div>
      {children === false && (
        <div className="mt-3 flex justify-center empty:hidden">
          <CameraButton disabled={disabled} words={t("photographs.take")} onFiles={onFiles} />
        </div>
      )}
    </>
  );
}
