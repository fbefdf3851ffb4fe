import { FileSearch, FileText, PenLine, Scale, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Plugin } from "@/lib/api";
import { iconOf } from "./icons";

/**
 * The tabs of the specification, in its order: the plugin that each belongs to, where it is, and its mark where that
 * does not serve.
 */
const specified = [
  ["lawyer", "lawyer", Scale],
  ["notice", "notices", FileSearch],
  ["drafting", "drafting", PenLine],
  ["summary", "summary", FileText],
] as const;

/** One tab of the workspace. */
export type Tab = { to: string; title: string; Icon: LucideIcon };

/** The specified tabs, then one for each other plugin that serves, as their manifests say. */
export function useTabs(plugins: Plugin[]): Tab[] {
  const { t } = useTranslation();
  const first = specified.map(([id, path, Icon]) => {
    const plugin = plugins.find((candidate) => candidate.id === id);
    return {
      to: `/app/${path}`,
      title: plugin?.title ?? t(`tabs.${path}`),
      Icon: plugin === undefined ? Icon : iconOf(plugin.icon),
    };
  });
  const others = plugins
    .filter(({ id }) => specified.every(([known]) => known !== id))
    .map(({ id, title, icon }) => ({ to: `/app/${id}`, title, Icon: iconOf(icon) }));
  return [...first, ...others];
}

/** Whether a tab has a place in the workspace without its plugin. */
export const isSpecified = (id: string) => id === "lawyer" || id === "drafting" || id === "summary";
