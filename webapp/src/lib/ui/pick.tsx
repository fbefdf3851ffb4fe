import { useId } from "react";

type PickProps = {
  label: string;
  value: string;
  options: { value: string; name: string }[];
  onPick: (value: string) => void;
};

/** A select for one of several values. */
export function Pick({ label, value, options, onPick }: PickProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm text-ink-soft">
        {label}
      </label>
      <select
        id={id}
        value={value}
        className="mt-1 min-h-11 w-full max-w-full rounded-lg border border-rule-strong bg-sheet px-3"
        onChange={(event) => {
          onPick(event.target.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </div>
  );
}
