import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  evalCasesOptions,
  evalRunQueryKey,
  evalRunsQueryKey,
  sentenceOf,
  startEvalRun,
  type EvalCase,
} from "@/lib/api";
import { count } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Pick } from "@/lib/ui/pick";

const all = "";
const sets = ["golden", "defences", "attack", "builtin"] as const;
const times = [1, 2, 3, 5, 10, 20];

/**
 * Starts a run of the cases of a plugin or a set, or of selected ones, with the prompts in use or those in the folder.
 */
export function StartRun({ onStarted }: { onStarted: (run: string) => void }) {
  const { t } = useTranslation("training");
  const queries = useQueryClient();
  const { data, error } = useQuery(evalCasesOptions());
  const [plugin, pickPlugin] = useState(all);
  const [set, pickSet] = useState(all);
  const [prompts, pickPrompts] = useState("serving");
  const [repeats, repeat] = useState(1);
  const [chosen, choose] = useState<string[]>([]);
  const cases = (data?.cases ?? []).filter(
    (one) => (plugin === all || one.plugin === plugin) && (set === all || one.set === set),
  );
  const picked = cases.filter(({ name }) => chosen.includes(name)).map(({ name }) => name);
  const tests = (picked.length > 0 ? picked.length : cases.length) * repeats;
  const start = useMutation({
    mutationFn: async () => {
      const body = {
        ...(plugin !== all && { plugin }),
        ...(set !== all && { set: set as (typeof sets)[number] }),
        ...(picked.length > 0 && { cases: picked }),
        repeats,
        prompts: prompts as "serving" | "folder",
      };
      return (await startEvalRun({ body, throwOnError: true })).data;
    },
    onSuccess: (run) => {
      queries.setQueryData(evalRunQueryKey(run.id), run);
      onStarted(run.id);
      return queries.invalidateQueries({ queryKey: evalRunsQueryKey() });
    },
  });
  const plugins = [...new Set((data?.cases ?? []).map((one) => one.plugin))];
  const problems = data?.problems ?? [];
  return (
    <section aria-labelledby="eval-start" className="mt-8">
      <h3 id="eval-start" className="font-serif text-lg font-semibold">
        {t("start.title")}
      </h3>
      <form
        className="mt-2"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <div className="grid max-w-4xl gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1.4fr_auto]">
          <Pick
            label={t("start.plugin")}
            value={plugin}
            options={[{ value: all, name: t("start.everyPlugin") }, ...plugins.map((name) => ({ value: name, name }))]}
            onPick={pickPlugin}
          />
          <Pick
            label={t("start.set")}
            value={set}
            options={[
              { value: all, name: t("start.everySet") },
              ...sets.map((name) => ({ value: name, name: t(`set.${name}`) })),
            ]}
            onPick={pickSet}
          />
          <Pick
            label={t("start.prompts")}
            value={prompts}
            options={(["serving", "folder"] as const).map((name) => ({ value: name, name: t(`start.${name}`) }))}
            onPick={pickPrompts}
          />
          <Pick
            label={t("start.repeats")}
            value={String(repeats)}
            options={times.map((n) => ({ value: String(n), name: count(n) }))}
            onPick={(n) => {
              repeat(Number(n));
            }}
          />
        </div>
        <Choose cases={cases} chosen={picked} onChoose={choose} />
        <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
          <Button type="submit" disabled={start.isPending || tests === 0}>
            {t("start.start", { count: tests, shown: count(tests) })}
          </Button>
          {prompts === "folder" && <p className="text-sm text-ink-soft">{t("start.folderHint")}</p>}
        </div>
      </form>
      <div role="alert">
        {(start.isError || error !== null || problems.length > 0) && (
          <p className="mt-2 text-overdue [overflow-wrap:anywhere] whitespace-pre-line">
            {start.isError
              ? sentenceOf(start.error, t("start.failed"))
              : error !== null
                ? sentenceOf(error, t("start.unread"))
                : problems.join("\n")}
          </p>
        )}
      </div>
    </section>
  );
}

/** Selects single cases; selecting none means all. */
function Choose({
  cases,
  chosen,
  onChoose,
}: {
  cases: EvalCase[];
  chosen: string[];
  onChoose: (names: string[]) => void;
}) {
  const { t } = useTranslation("training");
  const categories = [...new Set(cases.map(({ category }) => category))];
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer rounded py-1 text-sm text-accent underline-offset-4 hover:underline">
        {chosen.length > 0 ? t("start.chosen", { count: chosen.length }) : t("start.choose")}
      </summary>
      {chosen.length > 0 && (
        <Button
          look="link"
          size="bare"
          className="text-sm"
          onClick={() => {
            onChoose([]);
          }}
        >
          {t("start.chooseNone")}
        </Button>
      )}
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <div
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label={t("start.choose")}
        className="mt-1 max-h-72 max-w-4xl overflow-auto rounded-lg border border-rule bg-sheet px-3 py-2"
      >
        {categories.map((category) => (
          <fieldset key={category} className="min-w-0 py-1">
            <legend className="text-sm font-medium text-ink-soft">{category}</legend>
            <ul className="sm:grid sm:grid-cols-2 sm:gap-x-4">
              {cases
                .filter((one) => one.category === category)
                .map(({ name }) => (
                  <li key={name}>
                    <label className="flex min-h-8 cursor-pointer items-start gap-2 py-1 [overflow-wrap:anywhere]">
                      <input
                        type="checkbox"
                        checked={chosen.includes(name)}
                        className="mt-0.5 size-5 shrink-0 accent-accent"
                        onChange={({ target }) => {
                          onChoose(target.checked ? [...chosen, name] : chosen.filter((other) => other !== name));
                        }}
                      />
                      {name}
                    </label>
                  </li>
                ))}
            </ul>
          </fieldset>
        ))}
      </div>
    </details>
  );
}
