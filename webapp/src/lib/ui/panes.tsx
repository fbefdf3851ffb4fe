import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from "lucide-react";
import { Tabs } from "radix-ui";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { Panel, Separator, type PanelImperativeHandle } from "react-resizable-panels";
import { Button } from "./button";
import { cn } from "./cn";

// The width of a folded pane, in pixels.
const folded = 48;

type SideProps = {
  id: string;
  /** The labels of the buttons that show and fold the pane. */
  show: string;
  hide: string;
  panel: RefObject<PanelImperativeHandle | null>;
  size: string;
  /** The minimum width, in pixels. */
  least: number;
  right?: boolean;
  /** Gets the button that folds the pane. */
  children: (fold: ReactNode) => ReactNode;
};

/** A side pane that can be folded to a strip, and keeps its state. */
export function SidePane({ id, show, hide, panel, size, least, right = false, children }: SideProps) {
  const [away, setAway] = useState(false);
  const Close = right ? PanelRightClose : PanelLeftClose;
  const Open = right ? PanelRightOpen : PanelLeftOpen;
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  const turn = () => {
    pressed.current = true;
    if (away) panel.current?.expand();
    else panel.current?.collapse();
  };
  useEffect(() => {
    if (!pressed.current) return;
    pressed.current = false;
    (away ? opener : closer).current?.focus(); // the pressed button is gone
  }, [away]);
  return (
    <Panel
      id={id}
      panelRef={panel}
      collapsible
      collapsedSize={folded}
      minSize={least}
      defaultSize={size}
      className="relative flex"
      onResize={({ inPixels }) => {
        setAway(inPixels < least / 2);
      }}
    >
      {away && (
        <Button
          ref={opener}
          look="quiet"
          size="icon-small"
          className="m-1.5"
          aria-label={show}
          title={show}
          onClick={turn}
        >
          <Open aria-hidden />
        </Button>
      )}
      <div
        className={cn("flex min-h-0 flex-col", away ? "invisible absolute inset-y-0 left-0" : "min-w-0 flex-1")}
        style={away ? { width: least } : undefined}
        inert={away}
      >
        {children(
          <Button ref={closer} look="quiet" size="icon-small" aria-label={hide} title={hide} onClick={turn}>
            <Close aria-hidden />
          </Button>,
        )}
      </div>
    </Panel>
  );
}

/** The line between two panes, with which they can be resized. */
export function PaneLine({ label }: { label: string }) {
  return (
    <Separator
      aria-label={label}
      className="w-px bg-rule transition-colors outline-offset-0 hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent data-[separator=hover]:bg-accent"
    />
  );
}

type TabbedProps<Name extends string> = {
  label: string;
  panes: { name: Name; label: string; content: ReactNode }[];
  /** The pane that is shown. */
  pane: Name;
  onChoose: (name: string) => void;
  /** Always visible above the tabs; null for nothing. */
  above?: ReactNode;
};

/** Panes shown as tabs on a narrow screen; each keeps its state while another is shown. */
export function TabbedPanes<Name extends string>({ label, panes, pane, onChoose, above = null }: TabbedProps<Name>) {
  // If a link or Back leads to another tab, the focus moves to where it was in that tab.
  const area = useRef<HTMLDivElement>(null);
  const last = useRef<Partial<Record<Name, HTMLElement>>>({});
  const before = useRef(pane);
  useEffect(() => {
    // Listens on the document, since the content of a pane may be rendered elsewhere.
    const remember = ({ target }: FocusEvent) => {
      const name = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-pane]")?.dataset.pane : undefined;
      if (target instanceof HTMLElement && name !== undefined && target.dataset.pane === undefined)
        last.current[name as Name] = target;
    };
    const panes = area.current;
    panes?.addEventListener("focusin", remember);
    return () => panes?.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    if (before.current === pane) return;
    before.current = pane;
    if (document.activeElement?.role === "tab" || document.activeElement?.getAttribute("role") === "tab") return;
    const target = last.current[pane] ?? area.current?.querySelector<HTMLElement>(`[data-pane="${pane}"]`);
    target?.focus({ preventScroll: true });
  }, [pane]);
  return (
    <Tabs.Root value={pane} onValueChange={onChoose} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="border-b border-rule short:flex short:items-center short:justify-between">
        {above}
        <Tabs.List aria-label={label} className="-mb-px flex grow">
          {panes.map(({ name, label }) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="min-h-11 grow border-b-2 border-transparent px-1 text-[0.9375rem] font-medium text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-accent short:min-h-9"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      </div>
      <div ref={area} className="relative min-h-0 flex-1">
        {panes.map(({ name, content }) => (
          // Only hidden, so that each keeps its scroll position.
          <Tabs.Content
            key={name}
            value={name}
            forceMount
            tabIndex={-1}
            data-pane={name}
            inert={name !== pane}
            className="absolute inset-0 flex flex-col outline-none data-[state=inactive]:invisible"
          >
            {content}
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  );
}
