import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  promptChangesOptions,
  promptVersionsOptions,
  sentenceOf,
  type PromptChange,
  type PromptFileChange,
} from "@/lib/api";
import { ago } from "@/lib/format";
import { Changes } from "@/lib/ui/Changes";
import { Pick } from "@/lib/ui/pick";
import { Skeleton } from "@/lib/ui/skeleton";
import { Section } from "@/lib/ui/section";

/** The versions of a plugin, and the differences between two of them: at first, those of the latest change. */
export function Versions({ plugin, serving }: { plugin: string; serving: string }) {
  const { t } = useTranslation("operators");
  const { data, error } = useQuery(promptVersionsOptions(plugin));
  const [picked, pick] = useState<{ from?: string; to?: string }>({});
  const versions = data?.versions ?? [];
  const named = ({ sha, at, author }: PromptChange) => {
    const words = { sha: sha.slice(0, 10), ago: ago(at), author };
    const name = author === "" ? t("versions.option", words) : t("versions.optionBy", words);
    return sha === serving ? t("versions.serving", { name }) : name;
  };
  const options = versions.map((version) => ({ value: version.sha, name: named(version) }));
  const [latest, before] = versions;
  const from = picked.from ?? before?.sha ?? "";
  const to = picked.to ?? latest?.sha ?? "";
  return (
    <Section title={t("versions.title", { plugin })}>
      {error !== null ? (
        <p role="alert">{sentenceOf(error, t("failed"))}</p>
      ) : data === undefined ? (
        <Skeleton className="mt-2" />
      ) : latest === undefined ? (
        <p className="mt-1 text-ink-soft">{t("versions.none")}</p>
      ) : before === undefined ? (
        <p className="mt-1 text-ink-soft">{t("versions.one", { version: named(latest) })}</p>
      ) : (
        <>
          <div className="mt-2 grid gap-3 sm:grid-cols-2">
            <Pick
              label={t("versions.from")}
              value={from}
              options={options}
              onPick={(sha) => {
                pick({ ...picked, from: sha });
              }}
            />
            <Pick
              label={t("versions.to")}
              value={to}
              options={options}
              onPick={(sha) => {
                pick({ ...picked, to: sha });
              }}
            />
          </div>
          <Differences plugin={plugin} from={from} to={to} />
        </>
      )}
    </Section>
  );
}

function Differences({ plugin, from, to }: { plugin: string; from: string; to: string }) {
  const { t } = useTranslation("operators");
  const { data, error } = useQuery(promptChangesOptions(plugin, from, to));
  if (error !== null) return <p role="alert">{sentenceOf(error, t("failed"))}</p>;
  if (data === undefined) return <Skeleton className="mt-4" />;
  const files = data.files ?? [];
  if (files.length === 0) return <p className="mt-3 text-ink-soft">{t("versions.same")}</p>;
  return files.map((change) => <FileDiff key={change.file} change={change} />);
}

function FileDiff({ change: { file, diff } }: { change: PromptFileChange }) {
  const { t } = useTranslation("operators");
  return (
    <figure className="mt-4">
      <figcaption className="font-medium">
        <code>{file}</code>
      </figcaption>
      <Changes
        diff={diff}
        label={t("versions.diff", { file })}
        words={{ added: t("versions.added"), removed: t("versions.removed") }}
        className="mt-1 max-h-128 font-mono text-[0.8125rem] leading-5"
      />
    </figure>
  );
}
