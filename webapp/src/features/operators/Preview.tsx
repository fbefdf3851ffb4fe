import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { previewsOptions, sentenceOf } from "@/lib/api";
import { QuestionText } from "@/lib/conversation";
import { Skeleton } from "@/lib/ui/skeleton";
import { Pick, Section } from "./parts";

/** What the model would be asked by a prompt with the sample values of its file. */
export function Preview({ plugin, serves }: { plugin: string; serves: boolean }) {
  const { t } = useTranslation("operators");
  const { data, error } = useQuery({ ...previewsOptions(plugin), enabled: serves });
  const [picked, pick] = useState("");
  const prompts = data?.prompts ?? [];
  const shown = prompts.find(({ prompt }) => prompt === picked) ?? prompts[0];
  return (
    <Section title={t("preview.title", { plugin })}>
      <p className="mt-1 max-w-2xl text-ink-soft">{serves ? t("preview.hint") : t("preview.none")}</p>
      {error !== null && <p role="alert">{sentenceOf(error, t("failed"))}</p>}
      {serves && data === undefined && error === null && <Skeleton className="mt-2" />}
      {serves && shown !== undefined && (
        <div className="mt-2">
          <Pick label={t("preview.prompt")} value={shown.prompt} options={prompts.map(({ prompt }) => ({ value: prompt, name: prompt }))} onPick={pick} />
          <p className="my-2">{shown.purpose}</p>
          <QuestionText messages={shown.messages ?? []} />
        </div>
      )}
    </Section>
  );
}
