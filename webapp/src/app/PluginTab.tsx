import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useParams } from "react-router";
import { ComingPage } from "@/features/coming/ComingPage";
import { DraftingHome, DraftingResult } from "@/features/drafting";
import { PluginConversation, PluginHome } from "@/features/plugin";
import { pluginsOptions, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { isComing } from "./tabs";

const SummariesPage = lazy(async () => ({ default: (await import("@/features/summary")).SummariesPage }));
const SummaryPage = lazy(async () => ({ default: (await import("@/features/summary")).SummaryPage }));

/** The tab of a plugin that serves, in its own view or in the one that every other has. Of the specified ones, those that are not there yet say so. */
export function PluginTab() {
  const { t } = useTranslation(["plugin", "conversation"]);
  const { plugin: name = "", id } = useParams();
  const { data, error, refetch } = useQuery(pluginsOptions());
  const plugin = data?.plugins?.find((candidate) => candidate.id === name);
  if (plugin?.id === "drafting") {
    return id === undefined ? <DraftingHome plugin={plugin} /> : <DraftingResult key={id} plugin={plugin} id={id} />;
  }
  if (plugin?.id === "summary") {
    return <Suspense>{id === undefined ? <SummariesPage plugin={plugin} /> : <SummaryPage key={id} plugin={plugin} id={id} />}</Suspense>;
  }
  if (plugin !== undefined) {
    return id === undefined ? <PluginHome key={name} plugin={plugin} /> : <PluginConversation key={id} plugin={plugin} id={id} />;
  }
  if (data !== undefined) return isComing(name) ? <ComingPage what={name} /> : <Navigate to="/app" replace />;
  if (error === null) return null;
  return (
    <div className="m-auto max-w-md p-6 text-center">
      <h1 className="font-serif text-2xl font-semibold">{t("pluginsFailed.heading")}</h1>
      <p className="mt-2 text-ink-soft">{sentenceOf(error, t("conversation:failedHint"))}</p>
      <Button look="primary" className="mt-5" onClick={() => void refetch()}>
        {t("conversation:list.again")}
      </Button>
    </div>
  );
}
