import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";

// Within this many pixels of the end a person is reading the latest.
const nearEnd = 48;

type Props = {
  children: ReactNode;
  /** Changes when the person themselves added something: then the end is shown wherever they were. */
  mine: unknown;
};

/** A scrolling conversation that stays at its end only for those who are there. */
export function Thread({ children, mine }: Props) {
  const { t } = useTranslation("conversation");
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = frame.current;
    if (element === null) return;
    stuck.current = true;
    setAway(false);
    element.scrollTop = element.scrollHeight;
  }, []);

  const onScroll = () => {
    const element = frame.current;
    if (element === null) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    stuck.current = left <= nearEnd;
    setAway(left > nearEnd * 3);
  };

  useEffect(() => {
    const [outer, inner] = [frame.current, content.current];
    if (outer === null || inner === null) return;
    const observer = new ResizeObserver(() => {
      if (stuck.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(outer);
    return () => {
      observer.disconnect();
    };
  }, []);

  useLayoutEffect(toEnd, [toEnd, mine]);

  return (
    <div className="relative min-h-0 flex-1">
      {/* Focusable, so that a keyboard can scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={frame} onScroll={onScroll} tabIndex={0} role="region" aria-label={t("thread")} className="h-full overflow-y-auto overscroll-contain focus-visible:-outline-offset-2">
        <div ref={content}>{children}</div>
      </div>
      {away && (
        <Button size="small" onClick={toEnd} className="absolute bottom-3 left-1/2 -translate-x-1/2 animate-rise rounded-full shadow-lift">
          <ArrowDown aria-hidden />
          {t("latest")}
        </Button>
      )}
    </div>
  );
}
