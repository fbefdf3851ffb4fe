import { useId, type ReactNode } from "react";

/** The style of a field in a dialog. */
export const fieldLook = "mt-1 min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3 tabular-nums";

/** A field below its label. */
export function Labelled({
  label,
  hint,
  className,
  children,
}: {
  label: string;
  hint?: string;
  className?: string;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {hint !== undefined && <span className="ml-2 text-sm text-ink-soft">{hint}</span>}
      {children(id)}
    </div>
  );
}
