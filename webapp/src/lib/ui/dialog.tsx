import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useRef, type ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./cn";

export const Dialog = Radix.Root;

/**
 * Focuses the first field of a form that is marked data-first, since Radix would focus the close button. On closing, it
 * returns the focus to where it was, which Radix does only for its own trigger; if that is gone, as after a dialog that
 * another dialog opened, the page's content gets the focus.
 */
function useFocus() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement;
      const first =
        event.currentTarget instanceof HTMLElement
          ? event.currentTarget.querySelector<HTMLElement>("[data-first] :is(input, select, textarea)")
          : null;
      if (first === null) return;
      event.preventDefault();
      first.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const back = opener.current;
      if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus();
      else document.querySelector("main")?.focus();
    },
  };
}

type ContentProps = {
  title: string;
  closeLabel: string;
  /** It closes only with its close button, since a tap outside or Escape would lose its content. */
  holds?: boolean;
  children: ReactNode;
  className?: string;
};

/** A modal dialog with a title and a close button. */
export function DialogContent({ title, closeLabel, holds = false, children, className }: ContentProps) {
  const focus = useFocus();
  const stay = (event: Event) => {
    if (holds) event.preventDefault();
  };
  return (
    <Radix.Portal>
      {/* Taller content scrolls in the overlay: only there does Radix allow scrolling. */}
      <Radix.Overlay className="fixed inset-0 z-50 grid grid-cols-1 animate-fade items-end overflow-y-auto bg-veil p-3 sm:place-items-center sm:p-6">
        <Radix.Content
          {...focus}
          onEscapeKeyDown={stay}
          onInteractOutside={stay}
          aria-describedby={undefined}
          className={cn(
            "w-full max-w-lg animate-rise rounded-2xl border border-rule bg-sheet p-5 shadow-lift sm:p-6",
            className,
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="font-serif text-xl leading-9 font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button look="quiet" size="icon-small" aria-label={closeLabel} className="-mr-2">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Overlay>
    </Radix.Portal>
  );
}

/** A panel that slides in from the left over a backdrop. */
export function DrawerContent({ title, children }: { title: string; children: ReactNode }) {
  const focus = useFocus();
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-veil" />
      <Radix.Content
        {...focus}
        aria-describedby={undefined}
        className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] animate-slide border-r border-rule bg-margin shadow-lift"
      >
        <Radix.Title className="sr-only">{title}</Radix.Title>
        {children}
      </Radix.Content>
    </Radix.Portal>
  );
}
