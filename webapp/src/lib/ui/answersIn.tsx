import { useId } from "react";
import { languages, useAnswersIn, type Language } from "@/lib/i18n";

/** In which language answers are wanted, which may be another than that of the interface. */
export function AnswersIn({ label }: { label: string }) {
  const id = useId();
  const { language, choose } = useAnswersIn();
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-soft">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={language}
        className="min-h-9 rounded-lg border border-rule bg-paper px-2 text-ink"
        onChange={(event) => {
          choose(event.target.value as Language);
        }}
      >
        {Object.entries(languages).map(([value, name]) => (
          <option key={value} value={value} lang={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
