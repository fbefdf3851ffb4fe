import { cn } from "./cn";

/** A grey bar in place of a line that is still loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden className={cn("h-4 animate-pulse rounded bg-rule/70 motion-reduce:animate-none", className)} />
  );
}
