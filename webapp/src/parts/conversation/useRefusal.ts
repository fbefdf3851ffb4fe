import { useTranslation } from "react-i18next";
import type { PublicConfig } from "@/lib/api";
import { fileSize } from "@/lib/format";
import { isPhotograph } from "@/lib/photograph";

/** Why the dialog is open, and for what. */
export type UploadIntent = {
  /** The chosen document type; empty for the document of the conversation. */
  type: string;
  /** Files dropped or pasted elsewhere, until the person has chosen their type and order. */
  waiting: File[];
  /** Why a file that was dropped or pasted elsewhere cannot be sent. */
  refusal: string | null;
};

/** Returns why a file is not even sent, or null; the server checks more. */
export function useRefusal(config: PublicConfig | undefined): (file: File) => string | null {
  const { t } = useTranslation("conversation");
  return (file) => {
    if (file.type !== "application/pdf" && !isPhotograph(file)) return t("upload.otherType");
    const limit = config?.upload.max_bytes;
    if (limit !== undefined && file.size > limit && !isPhotograph(file)) {
      return t("upload.tooLarge", { size: fileSize(file.size), limit: fileSize(limit) });
    }
    return null;
  };
}
