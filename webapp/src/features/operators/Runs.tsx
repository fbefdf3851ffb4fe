import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { runsOptions, sentenceOf, type Run } from "@/lib/api";
import { Questions } from "@/parts/conversation";
import { ago } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Table } from "@/lib/ui/table";
import { Section } from "@/lib/ui/section";

/** The recent turns, each with what the model was asked and, if known, links to Temporal's Web UI and to its trace. */
export function Runs() {
  const { t } = useTranslation("operators");
  const { data, error } = useQuery(runsOptions());
  const [asked, ask] = useState("");
  const runs = data?.runs ?? [];
  const action = (run: Run) => t(run.turn === asked ? "runs.hide" : "runs.question");
  const row = (run: Run): ReactNode[] => [
    t(`runs.is.${run.state}`, { code: run.error_code }),
    run.plugin,
    run.kind,
    ago(run.created_at),
    run.milliseconds === undefined
      ? t("runs.notYet")
      : t("runs.seconds", { seconds: (run.milliseconds / 1000).toFixed(1) }),
    <Button
      key="question"
      look="link"
      size="bare"
      aria-expanded={run.turn === asked}
      aria-label={t("runs.ofRun", { action: action(run), turn: run.turn })}
      onClick={() => {
        ask(run.turn === asked ? "" : run.turn);
      }}
    >
      {action(run)}
    </Button>,
    <span key="elsewhere" className="flex flex-wrap gap-x-3">
      <Elsewhere url={run.url} label={t("runs.openRun", { turn: run.turn })} name={t("runs.open")} />
      <Elsewhere url={run.trace_url} label={t("runs.traceOf", { turn: run.turn })} name={t("runs.trace")} />
    </span>,
  ];
  return (
    <Section title={t("runs.title")}>
      {error !== null ? (
        <p role="alert">{sentenceOf(error, t("failed"))}</p>
      ) : data === undefined ? (
        <Skeleton className="mt-2" />
      ) : runs.length === 0 ? (
        <p className="mt-1 text-ink-soft">{t("runs.none")}</p>
      ) : (
        <>
          <p className="mt-1 max-w-2xl text-ink-soft">{t("runs.hint")}</p>
          <Table
            label={t("runs.title")}
            head={[t("runs.state"), t("runs.plugin"), t("runs.kind"), t("runs.when"), t("runs.took"), "", ""]}
            rows={runs.map((run) => ({
              key: run.turn,
              cells: row(run),
              below: run.turn === asked && <Questions turn={run.turn} />,
            }))}
          />
        </>
      )}
    </Section>
  );
}

/** A link to another tool; nothing if its address is not known. */
function Elsewhere({ url, label, name }: { url: string; label: string; name: string }) {
  return (
    url !== "" && (
      <Button look="link" size="bare" asChild>
        <a href={url} target="_blank" rel="noopener noreferrer" aria-label={label}>
          {name}
          <ExternalLink aria-hidden />
        </a>
      </Button>
    )
  );
}
