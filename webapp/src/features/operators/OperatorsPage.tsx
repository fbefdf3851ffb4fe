import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import {
  ApiError,
  endOperator,
  promptsOptions,
  publicConfigOptions,
  sentenceOf,
  type PromptChange,
  type PromptPlugin,
} from "@/lib/api";
import { ago } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Table } from "@/lib/ui/table";
import { usePageTitle } from "@/lib/ui/title";
import { mistakesOf } from "./mistakes";
import { Preview } from "./Preview";
import { Runs } from "./Runs";
import { Section } from "@/lib/ui/section";
import { Versions } from "./Versions";

/**
 * The operators' page: plugins and the prompts in use, mistakes in files, versions, previews and recent turns. It edits
 * nothing.
 */
export function OperatorsPage() {
  const { t } = useTranslation("operators");
  const config = useQuery(publicConfigOptions()).data;
  const prompts = useQuery(promptsOptions());
  const [chosen, choose] = useState<string | null>(null);
  usePageTitle(t("title"), config?.product_name ?? "");
  const plugins = prompts.data?.plugins ?? [];
  const plugin = plugins.find((candidate) => candidate.plugin === chosen) ?? plugins[0];
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-4xl px-4 py-8 sm:px-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("title")}</h1>
          {config?.operator === true && <Leave />}
        </div>
        <p className="mt-2 max-w-2xl text-ink-soft">{t("intro")}</p>
        {prompts.isError ? (
          <div role="alert" className="mt-8">
            <p>
              {prompts.error instanceof ApiError && prompts.error.status === 404
                ? t("ended")
                : sentenceOf(prompts.error, t("failed"))}
            </p>
            <Button size="small" className="mt-2" onClick={() => void prompts.refetch()}>
              {t("again")}
            </Button>
          </div>
        ) : prompts.isPending ? (
          <div className="mt-8 space-y-3">
            <Skeleton className="w-40" />
            <Skeleton />
            <Skeleton />
          </div>
        ) : (
          <>
            <Mistakes plugins={plugins} />
            <Plugins plugins={plugins} history={prompts.data.history ?? []} shown={plugin?.plugin} onShow={choose} />
            {plugin !== undefined && (
              <Versions key={`versions ${plugin.plugin}`} plugin={plugin.plugin} serving={plugin.serving?.sha ?? ""} />
            )}
            {plugin !== undefined && <Preview key={`preview ${plugin.plugin}`} plugin={plugin.plugin} />}
            <Runs />
          </>
        )}
      </div>
    </div>
  );
}

function Leave() {
  const { t } = useTranslation("operators");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () => endOperator({ throwOnError: true }),
    onSuccess: async () => {
      await navigate("/app");
      await queries.resetQueries(); // forget everything that only operators may see
    },
    onError: (error) => {
      toast.error(sentenceOf(error, t("leaveFailed")));
    },
  });
  return (
    <Button
      size="small"
      disabled={leave.isPending}
      onClick={() => {
        leave.mutate();
      }}
    >
      {t("leave")}
    </Button>
  );
}

function Mistakes({ plugins }: { plugins: PromptPlugin[] }) {
  const { t } = useTranslation("operators");
  const mistakes = mistakesOf(plugins);
  return (
    <Section title={t("mistakes.title")}>
      {mistakes.length === 0 ? (
        <p className="mt-1 text-ink-soft">{t("mistakes.none")}</p>
      ) : (
        <ul className="mt-2 space-y-3 border-l-2 border-overdue pl-4">
          {mistakes.map((mistake) => (
            <li key={JSON.stringify(mistake)}>
              <p className="text-sm text-ink-soft">
                <code className="text-ink">{mistake.file}</code>{" "}
                {t("mistakes.where", { line: mistake.line, column: mistake.column })}{" "}
                {mistake.prompts.length === 0 && t("mistakes.of", { plugin: mistake.plugins.join(", ") })}
              </p>
              <p>{mistake.message}</p>
              {mistake.prompts.length > 0 && (
                <p className="text-sm text-ink-soft">{t("mistakes.stops", { prompts: mistake.prompts.join(", ") })}</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

type PluginsProps = {
  plugins: PromptPlugin[];
  history: PromptChange[];
  shown: string | undefined;
  onShow: (plugin: string) => void;
};

function Plugins({ plugins, history, shown, onShow }: PluginsProps) {
  const { t } = useTranslation("operators");
  if (plugins.length === 0) return <p className="mt-8">{t("plugins.none")}</p>;
  const row = (p: PromptPlugin): ReactNode[] => [
    p.plugin,
    p.serving === null ? t("plugins.nothing") : <code title={p.serving.sha}>{p.serving.sha.slice(0, 10)}</code>,
    p.serving === null ? "" : ago(p.serving.since),
    <SavedBy
      key="by"
      change={history.find(
        ({ plugin, sha, event }) =>
          plugin === p.plugin &&
          sha === p.serving?.sha &&
          ["served", "rolled_back", "published", "overridden"].includes(event),
      )}
    />,
    t(`plugins.state.${stateOf(p)}`),
    <Button
      key="show"
      look="link"
      size="bare"
      aria-label={t("plugins.show", { plugin: p.plugin })}
      aria-pressed={p.plugin === shown}
      onClick={() => {
        onShow(p.plugin);
      }}
    >
      {t("plugins.open")}
    </Button>,
  ];
  return (
    <Section title={t("plugins.title")}>
      <Table
        label={t("plugins.title")}
        head={[t("plugins.plugin"), t("plugins.serves"), t("plugins.since"), t("plugins.by"), t("plugins.folder"), ""]}
        rows={plugins.map((p) => ({
          key: p.plugin,
          cells: row(p),
          below: p.held !== undefined && <Held plugin={p.plugin} held={p.held} />,
        }))}
      />
    </Section>
  );
}

/** Says why the gate holds back the folder's prompts. */
function Held({ plugin, held }: { plugin: string; held: NonNullable<PromptPlugin["held"]> }) {
  const { t } = useTranslation("operators");
  const reasons = held.reasons ?? [];
  return (
    <div className="sticky left-2 max-w-[min(48rem,calc(100vw-3.5rem))] border-l-2 border-due pl-3">
      <p>{t(reasons.length > 0 ? "held.fails" : "held.tried")}</p>
      <ul className="text-sm text-overdue">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className="text-sm text-ink-soft">{t("held.hint")}</p>
      {reasons.length > 0 && (
        <p className="text-sm text-ink-soft">
          {t("held.override")}{" "}
          <code className="[overflow-wrap:anywhere]">{`munshi prompts publish ${plugin} --override --reason …`}</code>
        </p>
      )}
    </div>
  );
}

/** Says who published a version, if known. */
function SavedBy({ change }: { change: PromptChange | undefined }) {
  const { t } = useTranslation("operators");
  const commit =
    change === undefined || change.commit === "" ? "" : t("plugins.commit", { commit: change.commit.slice(0, 10) });
  return <>{[change?.author ?? "", commit].filter((known) => known !== "").join(", ") || t("plugins.unknown")}</>;
}

function stateOf({ folder, serving }: PromptPlugin) {
  if (folder.event === "broken") return serving === null ? "brokenNothing" : "broken";
  if (serving !== null && folder.sha === serving.sha) return "same";
  return folder.event === "held" ? "held" : "other";
}
