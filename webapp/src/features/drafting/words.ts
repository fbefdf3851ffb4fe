import { useTranslation } from "react-i18next";
import type { Plugin } from "@/lib/api";
import type { Words } from "@/parts/conversation";

export const home = "/app/drafting";

/** Returns the names that AI Drafting uses in the conversation's texts. */
export function useWords({ title, view }: Plugin): Words {
  const { t } = useTranslation("drafting");
  return {
    title,
    list: title,
    listFailed: t("listFailed"),
    untitled: t("untitled"),
    fresh: t("fresh"),
    open: "",
    placeholder: "",
    note: view.note,
    loading: t("loading"),
    missing: t("missing"),
    failed: t("failed"),
    upload: "",
    again: null,
  };
}
