import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { useMedia } from "./media";

type Props = {
  title: string;
  closeLabel: string;
  /** The edge of the window, if it is wide enough. */
  edge: "left" | "right";
  onClose: () => void;
  children: ReactNode;
};

/**
 * A panel at an edge of the window, next to what is being read: the page remains usable, and Escape closes the panel.
 * On a phone it takes the whole width. The focus moves to its heading, and returns on closing.
 */
export function SidePanel({ title, closeLabel, edge, onClose, children }: Props) {
  const phone = !useMedia("(min-width: 48rem)");
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [title]);
  return (
    <Radix.Root
      open
      modal={phone}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            event.preventDefault();
            heading.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const back = opener.current;
            if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus();
            else document.querySelector("main")?.focus();
          }}
          onInteractOutside={(event) => {
            event.preventDefault(); // the page next to it can be used without closing it
          }}
          className={cn(
            "fixed inset-y-0 z-40 flex w-full animate-fade flex-col border-rule bg-sheet shadow-lift md:w-[28rem] print:hidden",
            edge === "right" ? "right-0 border-l" : "left-0 border-r",
          )}
        >
          <div className="flex items-start justify-between gap-3 border-b border-rule px-5 py-2.5">
            <Radix.Title asChild>
              <h2 ref={heading} tabIndex={-1} className="py-1 font-serif text-lg leading-7 font-semibold outline-none">
                {title}
              </h2>
            </Radix.Title>
            <Radix.Close asChild>
              <Button look="quiet" size="icon-small" aria-label={closeLabel} className="-mr-2">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
