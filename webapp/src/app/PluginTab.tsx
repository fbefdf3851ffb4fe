import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useParams } from "react-router";
import { DraftingHome, DraftingResult } from "@/features/drafting";
import { PluginConversation, PluginHome } from "@/features/plugin";
import { pluginsOptions, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { isSpecified } from "./tabs";

const SummariesPage = lazy(async () => ({ default: (await import("@/features/summary")).SummariesPage }));
const SummaryPage = lazy(async () => ({ default: (await import("@/features/summary")).SummaryPage }));

/**
 * The tab of a plugin, with its own view or the generic one. If an operator has removed one of the plugins from the
 * specification, its tab says so.
 */
export function PluginTab() {
  const { t } = useTranslation(["plugin", "conversation", "workspace"]);
  const { plugin: name = "", id } = useParams();
  const { data, error, refetch } = useQuery(pluginsOptions());
  const plugin = data?.plugins?.find((candidate) => candidate.id === name);
  if (plugin?.id === "drafting") {
    return id === undefined ? <DraftingHome plugin={plugin} /> : <DraftingResult key={id} plugin={plugin} id={id} />;
  }
  if (plugin?.id === "summary") {
    return (
      <Suspense>
        {id === undefined ? <SummariesPage plugin={plugin} /> : <SummaryPage key={id} plugin={plugin} id={id} />}
      </Suspense>
    );
  }
  if (plugin !== undefined) {
    return id === undefined ? (
      <PluginHome key={name} plugin={plugin} />
    ) : (
      <PluginConversation key={id} plugin={plugin} id={id} />
    );
  }
  if (data !== undefined) {
    if (!isSpecified(name)) return <Navigate to="/app" replace />;
    return (
      <NoTab heading={t("absent.heading", { title: t(`workspace:tabs.${name}`) })} why={t("absent.why")}>
        <Button look="primary" asChild>
          <Link to="/app/notices">{t("absent.toNotices")}</Link>
        </Button>
      </NoTab>
    );
  }
  if (error === null) return null;
  return (
    <NoTab heading={t("pluginsFailed.heading")} why={sentenceOf(error, t("conversation:failedHint"))}>
      <Button look="primary" onClick={() => void refetch()}>
        {t("conversation:list.again")}
      </Button>
    </NoTab>
  );
}

function NoTab({ heading, why, children }: { heading: string; why: string; children: ReactNode }) {
  return (
    <div className="m-auto max-w-md p-6 text-center">
      <h1 className="font-serif text-2xl font-semibold">{heading}</h1>
      <p className="mt-2 mb-5 text-ink-soft">{why}</p>
      {children}
    </div>
  );
}
