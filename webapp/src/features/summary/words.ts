import { useTranslation } from "react-i18next";
import type { Plugin } from "@/lib/api";
import type { Words } from "@/parts/conversation";

export const home = "/app/summary";

/** Returns the names that Document Summarizer uses in the conversation's texts; some come from its manifest. */
export function useWords({ title, view }: Plugin): Words {
  const { t } = useTranslation("summary");
  return {
    title,
    list: t("list"),
    listFailed: t("listFailed"),
    untitled: t("untitled"),
    fresh: null,
    open: t("open"),
    placeholder: view.placeholder,
    note: view.note,
    processing: t("processing"),
    loading: t("loading"),
    missing: t("missing"),
    failed: t("failedOne"),
    upload: t("upload"),
    again: null,
  };
}
