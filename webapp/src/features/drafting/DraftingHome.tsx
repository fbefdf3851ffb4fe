import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey, publicConfigOptions, type Plugin, type PluginInput } from "@/lib/api";
import { BeginPage, useBegin, useDraft, useProblem } from "@/parts/conversation";
import { useAnswersIn, type Language } from "@/lib/i18n";
import { AnswersIn } from "@/lib/ui/answersIn";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { DataUseBelow } from "@/parts/privacy";
import { home, useWords } from "./words";

/** AI Drafting when no draft is open: the form, and earlier drafts. */
export function DraftingHome({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation("drafting");
  const config = useQuery(publicConfigOptions()).data;
  const words = { ...useWords(plugin), list: t("drafts") };
  return (
    <BeginPage plugin={plugin} home={home} words={words}>
      <Form plugin={plugin} />
      <div className="mt-4 space-y-1">
        <DataUseBelow config={config} />
        {plugin.view.note !== "" && <p className="text-sm text-ink-soft">{plugin.view.note}</p>}
      </div>
    </BeginPage>
  );
}

/** The form for a draft. It stays filled in for the next draft until it is cleared. */
function Form({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation("drafting");
  const [kept, keep] = useDraft("form.drafting");
  const { send } = useBegin(plugin.id, home);
  const problem = useProblem(send.error, t("sendFailed"));
  const { language: usual } = useAnswersIn();
  const [chosen, choose] = useState<Language | null>(null); // for this draft only
  const language = chosen ?? usual;
  const attempt = useRef<{ said: string; key: string } | null>(null);
  const filled = new URLSearchParams(kept);
  const inputs = (plugin.inputs ?? []).filter(({ type }) => type !== "pdf");
  const given = Object.fromEntries(inputs.map((input) => [input.id, valueOf(input, filled)]));
  const ready = inputs.every(({ id, required }) => !required || (given[id] ?? "") !== "");
  const submit = () => {
    if (!ready || send.isPending) return;
    // Sending the same form again, after an answer was lost, must not create a second draft.
    const said = JSON.stringify([given, language]);
    if (attempt.current?.said !== said) attempt.current = { said, key: idempotencyKey() };
    send.mutate({ inputs: given, language, key: attempt.current.key });
  };
  return (
    <form
      aria-label={t("form")}
      className="mt-8 space-y-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {inputs.map((input) => (
        <Field
          key={input.id}
          input={input}
          value={filled.get(input.id) ?? ""}
          disabled={send.isPending}
          onChange={(text) => {
            filled.set(input.id, text);
            keep(filled.toString());
          }}
        />
      ))}
      <AnswersIn label={t("language")} language={language} choose={choose} />
      {problem !== null && (
        <p role="alert" className="text-[0.9375rem] text-overdue">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" className="px-6" disabled={!ready || send.isPending}>
          {send.isPending && <Spinner />}
          {send.isPending ? t("generating") : plugin.view.button || t("generate")}
        </Button>
        {[...filled.values()].some((text) => text !== "") && !send.isPending && (
          <Button
            look="quiet"
            onClick={() => {
              keep("");
              send.reset();
            }}
          >
            {t("clear")}
          </Button>
        )}
      </div>
    </form>
  );
}

type FieldProps = { input: PluginInput; value: string; disabled: boolean; onChange: (text: string) => void };

function Field({ input, value, disabled, onChange }: FieldProps) {
  const { t } = useTranslation("drafting");
  const id = useId();
  const hint = input.hint === "" ? undefined : `${id}-hint`;
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {input.title}
      </label>
      {hint !== undefined && (
        <p id={hint} className="text-sm text-ink-soft">
          {input.hint}
        </p>
      )}
      {input.type === "choice" ? (
        <select
          id={id}
          value={valueOf(input, new URLSearchParams([[input.id, value]]))}
          required={input.required}
          disabled={disabled}
          aria-describedby={hint}
          className="mt-1.5 block min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3 sm:max-w-xs"
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          <option value="">{t("choose")}</option>
          {(input.choices ?? []).map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.title}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          id={id}
          rows={6}
          value={value}
          required={input.required}
          disabled={disabled}
          placeholder={input.placeholder}
          aria-describedby={hint}
          className="mt-1.5 max-h-[60vh] w-full resize-y rounded-lg border border-rule-strong/60 bg-sheet px-3 py-2.5 leading-6 placeholder:text-ink-soft"
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </div>
  );
}

/** Returns the value of a field to use: a trimmed text, or a choice that the manifest still has. */
function valueOf({ id, type, choices }: PluginInput, filled: URLSearchParams): string {
  const value = (filled.get(id) ?? "").trim();
  return type === "choice" && choices?.some((choice) => choice.id === value) !== true ? "" : value;
}
