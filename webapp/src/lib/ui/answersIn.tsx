import { useId } from "react";
import { languages, type Language } from "@/lib/i18n";

type AnswersInProps = { label: string; language: Language; choose: (language: Language) => void };

/** Selects the language for an answer, which may differ from that of the interface. */
export function AnswersIn({ label, language, choose }: AnswersInProps) {
  const id = useId();
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
