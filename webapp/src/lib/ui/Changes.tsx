import { cn } from "./cn";
import { diffLines } from "./diff";

type ChangesProps = {
  /** A unified diff. */
  diff: string;
  /** The name of the region, which can be scrolled with the keyboard. */
  label: string;
  /** What screen readers say before an added and before a removed line. */
  words: { added: string; removed: string };
  /** Shown in place of omitted lines; if it is not given, their line numbers are shown. */
  gap?: string;
  className?: string;
};

const marks = { added: "+", removed: "−", same: " ", gap: "" };

/** Shows the differences between two texts, line by line. */
export function Changes({ diff, label, words, gap, className }: ChangesProps) {
  return (
    // Focusable, so that it can be scrolled with the keyboard.
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
