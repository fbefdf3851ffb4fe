import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useDropzone } from "react-dropzone";
import { useTranslation } from "react-i18next";
import { meOptions, sayNoUseLeft, type PublicConfig } from "@/lib/api";
import { UploadDialog, useRefusal, type UploadIntent } from "./UploadDialog";
import { usePaste } from "./usePaste";
import type { useUpload } from "./useUpload";
import type { Words } from "./words";

type Props = {
  sending: ReturnType<typeof useUpload>;
  config: PublicConfig | undefined;
  /** Document types to choose from; none when only the document that the conversation is about can be meant. */
  types: string[];
  words: Pick<Words, "upload" | "again">;
  /** Nothing can be uploaded now, since a reply is being written. */
  disabled: boolean;
  children: (open: (type: string) => void) => ReactNode;
};

/** A screen on which a PDF can be dropped or pasted anywhere, and which holds the upload dialog. */
export function UploadArea({ sending, config, types, words, disabled, children }: Props) {
  const { t } = useTranslation("conversation");
  const [intent, setIntent] = useState<UploadIntent | null>(null);

  const refuse = useRefusal(config);

  const me = useQuery(meOptions()).data;
  // What Munshi asked for costs no use; of what comes first it can be told before a file is chosen that none is left.
  const spent = types.length === 0 && me !== undefined && me.limited && !me.premium && me.used >= me.free;

  const open = (type: string) => {
    if (spent) {
      sayNoUseLeft();
      return;
    }
    sending.upload.reset();
    setIntent({ type, waiting: null, refusal: null });
  };
  const close = () => {
    setIntent(null);
  };
  const receive = (file: File | undefined) => {
    if (file === undefined || disabled || intent !== null) return;
    if (spent) {
      sayNoUseLeft();
      return;
    }
    const [first] = types;
    const refusal = refuse(file);
    sending.upload.reset();
    // The first file can only be what the conversation is about; of a later one the person says what it is.
    const direct = refusal === null && first === undefined;
    setIntent({ type: first ?? "", waiting: refusal === null && !direct ? file : null, refusal });
    if (direct) sending.upload.mutate({ file, type: "" }, { onSuccess: close });
  };

  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    multiple: false,
    disabled: disabled || intent !== null,
    onDrop: ([file]) => {
      receive(file);
    },
  });

  usePaste(receive);

  return (
    // The dropzone calls its area disabled while it takes no file, but all else in here still works.
    <div
      {...zone.getRootProps({ role: "presentation", className: "relative flex min-h-0 flex-1 flex-col" })}
      aria-disabled={undefined}
    >
      {children(open)}
      {zone.isDragActive && (
        <div className="pointer-events-none absolute inset-3 z-30 grid animate-fade place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/95 text-center">
          <p className="font-serif text-xl font-semibold text-accent">{t("dropHere")}</p>
        </div>
      )}
      {intent !== null && (
        <UploadDialog intent={intent} types={types} words={words} sending={sending} config={config} onClose={close} />
      )}
    </div>
  );
}
