import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { cn } from "./cn";

type Props = { label: string; value: string; onChange: (text: string) => void; className?: string };

/** A field to search a list. */
export function SearchField({ label, value, onChange, className }: Props) {
  return (
    <label className={cn("relative min-w-0", className)}>
      <span className="sr-only">{label}</span>
      <Search aria-hidden className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft" />
      <input
        type="search"
        value={value}
        maxLength={200}
        placeholder={label}
        className="min-h-10 w-full rounded-lg border border-rule-strong/60 bg-sheet pr-3 pl-9 placeholder:text-ink-soft"
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    </label>
  );
}

/** Returns a text once the person has paused typing. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(typed.trim());
    }, 250);
    return () => {
      clearTimeout(timer);
    };
  }, [typed]);
  return settled;
}
