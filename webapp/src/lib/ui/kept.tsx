import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

/** What a piece of the page stands in, wherever that is put. */
class Host {
  readonly element = document.createElement("div");
  private focus: HTMLElement | null = null;
  private scrolled: [Element, number][] = [];

  constructor() {
    this.element.className = "contents";
  }

  enter(place: HTMLElement): void {
    place.append(this.element);
    for (const [element, top] of this.scrolled) element.scrollTop = top;
    this.focus?.focus({ preventScroll: true });
  }

  /** To be called before it is taken off the page, which forgets both. */
  leave(): void {
    const active = document.activeElement;
    this.focus = active instanceof HTMLElement && this.element.contains(active) ? active : null;
    this.scrolled = [...this.element.querySelectorAll("*")]
      .filter(({ scrollTop }) => scrollTop > 0)
      .map((element) => [element, element.scrollTop]);
  }
}

/**
 * A piece of the page that is made once and may be put into another place: what is typed, ticked or open in it outlasts
 * that, with the focus and how far it is scrolled. `made` is rendered where it stays; `place` wherever it is to be seen
 * now, at one place.
 */
export function useKept(content: ReactNode): { made: ReactNode; place: ReactNode } {
  const [host] = useState(() => new Host());
  const [wanted, setWanted] = useState(false); // it is not made before it is seen
  return { made: wanted && createPortal(content, host.element), place: <Place host={host} onEntered={setWanted} /> };
}

function Place({ host, onEntered }: { host: Host; onEntered: (entered: true) => void }) {
  const here = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (here.current !== null) host.enter(here.current);
    onEntered(true);
    return () => {
      host.leave();
    };
  }, [host, onEntered]);
  return <div ref={here} className="contents" />;
}
