import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { previewOptions, previewsOptions, sentenceOf, type PromptPreview, type PromptVariable } from "@/lib/api";
import { QuestionText } from "@/parts/conversation";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Pick } from "@/lib/ui/pick";
import { Skeleton } from "@/lib/ui/skeleton";
import { Section } from "@/lib/ui/section";

/** Shows the messages of a prompt, with the sample values of its file or with others; no model is called. */
export function Preview({ plugin }: { plugin: string }) {
  const { t } = useTranslation("operators");
  const { data, error } = useQuery(previewsOptions(plugin));
  const [picked, pick] = useState({ sha: "", prompt: "" });
  const versions = data?.versions ?? [];
  const version = versions.find(({ sha }) => sha === picked.sha) ?? versions[0];
  const prompts = version?.prompts ?? [];
  const prompt = prompts.find((candidate) => candidate.prompt === picked.prompt) ?? prompts[0];
  return (
    <Section title={t("preview.title", { plugin })}>
      <p className="mt-1 max-w-2xl text-ink-soft">
        {t("preview.hint")} {data !== undefined && data.folder !== "other" && t(`preview.folder.${data.folder}`)}
      </p>
      {error !== null && <p role="alert">{sentenceOf(error, t("failed"))}</p>}
      {data === undefined && error === null && <Skeleton className="mt-2" />}
      {version !== undefined && prompt !== undefined && (
        <div className="mt-2">
          <div className={cn("grid gap-3", versions.length > 1 && "sm:grid-cols-2")}>
            {versions.length > 1 && (
              <Pick
                label={t("preview.version")}
                value={version.sha}
                options={versions.map(({ sha, serves }) => ({
                  value: sha,
                  name: t(serves ? "preview.serving" : "preview.copy", { sha: sha.slice(0, 10) }),
                }))}
                onPick={(sha) => {
                  pick({ ...picked, sha });
                }}
              />
            )}
            <Pick
              label={t("preview.prompt")}
              value={prompt.prompt}
              options={prompts.map((candidate) => ({ value: candidate.prompt, name: candidate.prompt }))}
              onPick={(name) => {
                pick({ ...picked, prompt: name });
              }}
            />
          </div>
          <p className="my-2">{prompt.purpose}</p>
          <Trial key={prompt.prompt} plugin={plugin} sha={version.sha} prompt={prompt} />
        </div>
      )}
    </Section>
  );
}

const settling = 300; // ms without typing before the messages are rendered again

/** A prompt's values, which can be edited, and the resulting messages. */
function Trial({ plugin, sha, prompt }: { plugin: string; sha: string; prompt: PromptPreview }) {
  const { t } = useTranslation("operators");
  const variables = prompt.variables ?? [];
  const [typed, type] = useState<Record<string, string>>({});
  const [values, settle] = useState(typed);
  useEffect(() => {
    const soon = setTimeout(() => {
      settle(typed);
    }, settling);
    return () => {
      clearTimeout(soon);
    };
  }, [typed]);
  // A change of the file may have removed a variable whose value was edited.
  const changed = Object.fromEntries(
    Object.entries(values).filter(([name, text]) => variables.some((v) => v.name === name && v.sample !== text)),
  );
  const own = Object.keys(changed).length > 0;
  const { data, error, isFetching } = useQuery({
    ...previewOptions(plugin, sha, prompt.prompt, changed),
    enabled: own,
  });
  const messages = own ? data?.messages : prompt.messages;
  return (
    <>
      <details className="my-3">
        <summary className="w-fit cursor-pointer rounded py-1.5 font-medium underline-offset-4 hover:underline">
          {t("preview.values", { count: variables.length })}
        </summary>
        <p className="mt-1 max-w-2xl text-sm text-ink-soft">{t("preview.valuesHint")}</p>
        <div className="mt-2 grid gap-4 sm:grid-cols-2">
          {variables.map((variable) => (
            <Value
              key={variable.name}
              variable={variable}
              text={typed[variable.name] ?? variable.sample}
              onType={(text) => {
                type({ ...typed, [variable.name]: text });
              }}
            />
          ))}
        </div>
        <Button
          size="small"
          className="mt-3"
          disabled={Object.keys(typed).length === 0}
          onClick={() => {
            type({});
          }}
        >
          {t("preview.samples")}
        </Button>
      </details>
      {own && error !== null ? (
        <p role="alert" className="text-overdue">
          {sentenceOf(error, t("failed"))}
        </p>
      ) : messages === undefined ? (
        <Skeleton />
      ) : (
        <div aria-busy={isFetching}>
          <p className="text-sm text-ink-soft">{t(own ? "preview.withOwn" : "preview.withSamples")}</p>
          <QuestionText messages={messages ?? []} />
        </div>
      )}
    </>
  );
}

type ValueProps = { variable: PromptVariable; text: string; onType: (text: string) => void };

/** A field for one value, in the format of the samples in the prompt's file. */
function Value({ variable: { name, type, untrusted, required, choices }, text, onType }: ValueProps) {
  const { t } = useTranslation("operators");
  const id = useId();
  const box = "mt-1 w-full rounded-lg border border-rule-strong bg-sheet px-3 py-2";
  const kind = [
    t(`preview.type.${type}`),
    untrusted ? t("preview.outside") : "",
    required ? "" : t("preview.optional"),
  ].filter((word) => word !== "");
  if (choices !== null && choices.length > 0) {
    const options = [
      ...choices.map((choice) => ({ value: choice, name: choice })),
      { value: "", name: t("preview.missing") },
    ];
    return <Pick label={`${name} (${kind.join(", ")})`} value={text} options={options} onPick={onType} />;
  }
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm text-ink-soft">
        {name} ({kind.join(", ")})
      </label>
      {type === "number" ? (
        <input
          id={id}
          inputMode="decimal"
          value={text}
          className={cn(box, "min-h-11")}
          onChange={(event) => {
            onType(event.target.value);
          }}
        />
      ) : (
        <textarea
          id={id}
          rows={Math.min(8, Math.max(2, text.split("\n").length))}
          value={text}
          spellCheck={type === "text"}
          className={cn(box, type !== "text" && "font-mono text-[0.8125rem] leading-5")}
          onChange={(event) => {
            onType(event.target.value);
          }}
        />
      )}
    </div>
  );
}
