import { useTranslation } from "react-i18next";
import type { Plugin } from "@/lib/api";
import type { Words } from "@/parts/conversation";

/** Returns the names that a plugin uses in the conversation's texts, as far as its manifest has them. */
export function useWords({ title, view, inputs }: Plugin): Words {
  const { t } = useTranslation("plugin");
  return {
    title,
    list: title,
    listFailed: t("listFailed"),
    untitled: t("untitled"),
    fresh: t("new"),
    open: t("open"),
    placeholder: view.placeholder || t("placeholder"),
    note: view.note,
    loading: t("loading"),
    missing: t("missing"),
    failed: t("failed"),
    upload: inputs?.find(({ type }) => type === "pdf")?.title ?? t("upload"),
    again: null, // a new conversation starts with the form
  };
}

export const homeOf = (plugin: Plugin) => `/app/${plugin.id}`;

/** Returns the inputs of a kind of turn, in the order of the form; null if the plugin has no such turn. */
export function inputsOf(plugin: Plugin, kind: "analysis" | "document" | "chat") {
  const turn = plugin.turns?.find((candidate) => candidate.kind === kind);
  if (turn === undefined) return null;
  return (plugin.inputs ?? []).filter(({ id }) => turn.inputs?.includes(id));
}
