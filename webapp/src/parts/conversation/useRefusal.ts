import { useTranslation } from "react-i18next";
import type { PublicConfig } from "@/lib/api";
import { fileSize } from "@/lib/format";
import { isPhotograph } from "@/lib/photograph";

/** Why and for what the dialog is open. */
export type UploadIntent = {
  /** The document type that was picked; empty for what the conversation is about. */
  type: string;
  /** Files that were dropped or pasted elsewhere, until the person has said what they are and in what order. */
  waiting: File[];
  /** Why a file that was dropped or pasted elsewhere cannot be sent. */
  refusal: string | null;
};

/** Says why a file is not even sent, or null; the server looks closer. */
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
