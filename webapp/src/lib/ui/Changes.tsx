import { cn } from "./cn";
import { diffLines } from "./diff";

type ChangesProps = {
  /** Unified. */
  diff: string;
  /** Names the region, which a keyboard can scroll. */
  label: string;
  /** What is read out before a line that came, and before one that went. */
  words: { added: string; removed: string };
  /** What stands for lines that are left out; their numbers where this is left out itself. */
  gap?: string;
  className?: string;
};

const marks = { added: "+", removed: "−", same: " ", gap: "" };

/** What differs between two texts, line by line. */
export function Changes({ diff, label, words, gap, className }: ChangesProps) {
  return (
    // Focusable, so that a keyboard can scroll it.
    <div
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn("overflow-auto rounded-lg border border-rule bg-sheet py-2", className)}
    >
      {diffLines(diff).map(({ kind, text }, index) => (
        <div
          key={index}
          className={cn(
            "flex gap-2 px-3 whitespace-pre-wrap",
            kind === "added" && "bg-safe-soft",
            kind === "removed" && "bg-overdue-soft",
            kind === "gap" && "my-1 bg-margin text-ink-soft",
          )}
        >
          <span aria-hidden className="w-3 shrink-0 select-none">
            {marks[kind]}
          </span>
          {kind === "added" || kind === "removed" ? <span className="sr-only">{words[kind]}</span> : null}
          {kind === "added" ? (
            <ins className="no-underline">{text}</ins>
          ) : kind === "removed" ? (
            <del className="no-underline">{text}</del>
          ) : (
            <span>{kind === "gap" ? (gap ?? text) : text}</span>
          )}
        </div>
      ))}
    </div>
  );
}
