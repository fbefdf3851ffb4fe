import { LoaderCircle } from "lucide-react";
import { cn } from "./cn";

/** A spinning ring; the text next to it says what is going on. */
export function Spinner({ className }: { className?: string }) {
  return (
    <LoaderCircle aria-hidden className={cn("size-5 animate-spin text-accent motion-reduce:animate-none", className)} />
  );
}
