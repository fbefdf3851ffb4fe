import { useTranslation } from "react-i18next";
import type { Words } from "@/parts/conversation";

export const plugin = "notice";
export const home = "/app/notices";

/** Returns the names that Notice Analysis uses in the conversation's texts. */
export function useWords(): Words {
  const { t } = useTranslation("notices");
  return {
    title: t("title"),
    list: t("list.title"),
    listFailed: t("list.failed"),
    untitled: t("list.untitled"),
    fresh: t("list.new"),
    open: t("openNotice"),
    placeholder: t("placeholder"),
    note: t("review"),
    loading: t("loading"),
    missing: t("missing"),
    failed: t("failed"),
    upload: t("upload.title"),
    again: t("upload.notice"),
  };
}
