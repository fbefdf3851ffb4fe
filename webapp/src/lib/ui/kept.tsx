import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

/** The element that contains a movable piece of the page. */
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

  /** Must be called before the element is removed from the page, which forgets focus and scroll positions. */
  leave(): void {
    const active = document.activeElement;
    this.focus = active instanceof HTMLElement && this.element.contains(active) ? active : null;
    this.scrolled = [...this.element.querySelectorAll("*")]
      .filter(({ scrollTop }) => scrollTop > 0)
      .map((element) => [element, element.scrollTop]);
  }
}

/**
 * A piece of the page that is rendered once and can be moved to another place: what is typed, ticked or open in it is
 * kept, and so are the focus and the scroll position. Render `made` in a fixed place, and `place` wherever it should be
 * visible, but only in one place at a time.
 */
export function useKept(content: ReactNode): { made: ReactNode; place: ReactNode } {
  const [host] = useState(() => new Host());
  const [wanted, setWanted] = useState(false); // it is not rendered before it is first shown
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
