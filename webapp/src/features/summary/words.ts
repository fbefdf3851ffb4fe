import { useTranslation } from "react-i18next";
import type { Plugin } from "@/lib/api";
import type { Words } from "@/parts/conversation";

export const home = "/app/summary";

/** What Document Summarizer calls its things; what its manifest says comes from there. */
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
