import { FileSearch, FileText, PenLine, Scale, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Plugin } from "@/lib/api";
import { iconOf } from "./icons";

/**
 * The tabs of the specification, in its order: the plugin of each, its path, and the icon to use if the plugin is not
 * available.
 */
const specified = [
  ["lawyer", "lawyer", Scale],
  ["notice", "notices", FileSearch],
  ["drafting", "drafting", PenLine],
  ["summary", "summary", FileText],
] as const;

/** A tab of the workspace. */
export type Tab = { to: string; title: string; Icon: LucideIcon };

/** Returns the tabs of the specification, then one for each other plugin, as their manifests say. */
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

/** Reports whether a tab is shown even without its plugin. */
export const isSpecified = (id: string) => id === "lawyer" || id === "drafting" || id === "summary";
