import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;
export const PopoverClose = Radix.Close;

/** A small panel next to the element that opened it. Escape or a click elsewhere closes it, and the focus returns. */
export function PopoverContent({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Radix.Portal>
      <Radix.Content
        aria-label={label}
        sideOffset={6}
        collisionPadding={12}
        className="z-50 w-80 max-w-[calc(100vw-24px)] animate-fade rounded-xl border border-rule bg-sheet p-4 font-sans text-[0.9375rem] leading-snug text-ink shadow-lift"
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  );
}
