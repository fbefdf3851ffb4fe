import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { PluginInput } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";

// More choices than this are shown as a drop-down list.
const sideBySide = 6;

type Props = { input: PluginInput; value: string; onChange: (value: string) => void; disabled?: boolean };

/** The title of an input, and whether it is optional. */
export function Title({ input }: { input: PluginInput }) {
  const { t } = useTranslation("plugin");
  return (
    <>
      <span className="font-medium">{input.title}</span>
      {!input.required && <span className="text-sm text-ink-soft"> ({t("optional")})</span>}
    </>
  );
}

/** A text field that grows with its text. */
export function TextField({ input, value, onChange, disabled = false }: Props) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>
        <Title input={input} />
      </label>
      {input.hint !== "" && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {input.hint}
        </p>
      )}
      <textarea
        id={id}
        rows={input.required ? 6 : 1}
        value={value}
        required={input.required}
        disabled={disabled}
        placeholder={input.placeholder}
        aria-describedby={input.hint === "" ? undefined : `${id}-hint`}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        className="mt-1.5 field-sizing-content max-h-96 min-h-11 w-full resize-y rounded-lg border border-rule-strong/60 bg-sheet px-3 py-2.5 leading-6 placeholder:text-ink-soft"
      />
    </div>
  );
}

/** One of several choices: side by side if they are few. An optional choice can be cleared. */
export function ChoiceField({ input, value, onChange, disabled = false }: Props) {
  const { t } = useTranslation("plugin");
  const id = useId();
  const choices = input.choices ?? [];
  if (!fewChoices(input)) {
    return (
      <div>
        <label htmlFor={id}>
          <Title input={input} />
        </label>
        {input.hint !== "" && <p className="text-sm text-ink-soft">{input.hint}</p>}
        <select
          id={id}
          value={value}
          required={input.required}
          disabled={disabled}
          onChange={(event) => {
            onChange(event.target.value);
          }}
          className="mt-1.5 min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3"
        >
          <option value="">{input.required ? t("choose") : t("clear")}</option>
          {choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.title}
            </option>
          ))}
        </select>
      </div>
    );
  }
  return (
    <fieldset disabled={disabled}>
      <legend>
        <Title input={input} />
      </legend>
      {input.hint !== "" && <p className="text-sm text-ink-soft">{input.hint}</p>}
      <div className="mt-1.5 flex flex-wrap gap-2">
        {(input.required ? choices : [{ id: "", title: t("clear") }, ...choices]).map((choice) => (
          <label
            key={choice.id}
            className={cn(
              "flex min-h-11 cursor-pointer items-center rounded-lg border px-4 text-[0.9375rem] font-medium transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              choice.id === value
                ? "border-accent bg-accent-soft text-accent"
                : "border-rule-strong/60 bg-sheet hover:border-rule-strong hover:bg-accent-soft",
            )}
          >
            <input
              type="radio"
              name={id}
              value={choice.id}
              checked={choice.id === value}
              required={input.required}
              onChange={() => {
                onChange(choice.id);
              }}
              className="sr-only"
            />
            {choice.title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/**
 * An optional choice for a question: buttons side by side, of which one can be pressed; pressing it again clears the
 * choice.
 */
export function ToggleField({ input, value, onChange }: Props) {
  return (
    <div role="group" aria-label={input.title} className="flex flex-wrap gap-1.5">
      {input.choices?.map(({ id, title }) => (
        <Button
          key={id}
          size="small"
          aria-pressed={id === value}
          className={cn("rounded-full", id === value && "border-accent bg-accent-soft text-accent hover:border-accent")}
          onClick={() => {
            onChange(id === value ? "" : id);
          }}
        >
          {title}
        </Button>
      ))}
    </div>
  );
}

/** Reports whether an input has few enough choices to show them side by side. */
export const fewChoices = (input: PluginInput) => (input.choices ?? []).length <= sideBySide;
