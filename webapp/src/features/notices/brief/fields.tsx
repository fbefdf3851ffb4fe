import { useId, type ReactNode } from "react";

/** How a field of the brief's dialogs looks. */
export const fieldLook = "mt-1 min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3 tabular-nums";

/** A field under its label. */
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

/** An amount as people write it, ₹12,45,000.50; null for what is none. */
export function rupeesIn(written: string): number | null {
  const amount = Number(written.replaceAll(/[₹,\s]|Rs\.?|\/-/gi, ""));
  return Number.isNaN(amount) ? null : amount;
}
