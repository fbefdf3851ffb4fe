import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";

// Someone within this many pixels of the end is reading the latest text.
const nearEnd = 48;

type Props = {
  children: ReactNode;
  /** Changes when the person adds something: then the end is shown, wherever they were. */
  mine: unknown;
  /** An answer is being written. */
  writing: boolean;
};

/** The position of the last question in the scrolled content; null if there is none. */
function lastQuestion(content: HTMLElement): number | null {
  const question = [...content.querySelectorAll<HTMLElement>("[data-question]")].at(-1);
  if (question === undefined) return null;
  return Math.max(0, question.getBoundingClientRect().top - content.getBoundingClientRect().top - 16);
}

/**
 * A scrolling conversation that follows its end only for someone who is there. If more than a screenful arrives within
 * a second, nobody can have read it: then it is shown from the last question (data-question), unless the person had
 * scrolled past that question and follows the text. A conversation that is opened is also shown from its last question,
 * or at its end while an answer is being written.
 */
export function Thread({ children, mine, writing }: Props) {
  const { t } = useTranslation("conversation");
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const last = useRef({ top: 0, height: 0 });
  const recent = useRef({ since: 0, height: 0, top: 0 });
  const [away, setAway] = useState(false);

  const look = useCallback(() => {
    const element = frame.current;
    if (element === null) return;
    const { scrollTop: top, scrollHeight: height, clientHeight } = element;
    const left = height - top - clientHeight;
    // Only a person scrolls up, except that shrinking content moves the end.
    const movedUp = top < last.current.top - Math.max(0, last.current.height - height);
    if (left <= nearEnd) stuck.current = true;
    else if (movedUp) stuck.current = false;
    last.current = { top, height };
    setAway(left > nearEnd * 3 && !stuck.current);
  }, []);

  const toEnd = useCallback(() => {
    const element = frame.current;
    if (element === null) return;
    stuck.current = true;
    element.scrollTop = element.scrollHeight;
    look();
  }, [look]);

  useEffect(() => {
    const [outer, inner] = [frame.current, content.current];
    if (outer === null || inner === null) return;
    const observer = new ResizeObserver(() => {
      const now = performance.now();
      if (now - recent.current.since > 1_000) recent.current = { since: now, ...last.current };
      const grown = outer.scrollHeight - recent.current.height;
      if (stuck.current) {
        const end = outer.scrollHeight - outer.clientHeight;
        const start = lastQuestion(inner) ?? end;
        const unread = grown > outer.clientHeight && recent.current.top <= start;
        const show = unread ? Math.min(end, start) : end;
        stuck.current = end - show <= nearEnd;
        outer.scrollTop = show;
      }
      look();
    });
    observer.observe(inner);
    observer.observe(outer);
    return () => {
      observer.disconnect();
    };
  }, [look]);

  const opened = useRef(false);
  const arrive = useEffectEvent(() => {
    const [outer, inner] = [frame.current, content.current];
    if (outer === null || inner === null) return;
    const start = opened.current || writing ? null : lastQuestion(inner);
    opened.current = true;
    if (start === null || start >= outer.scrollHeight - outer.clientHeight) {
      toEnd();
      return;
    }
    stuck.current = false;
    outer.scrollTop = start;
    look();
  });
  useLayoutEffect(() => {
    arrive();
  }, [mine]);

  return (
    <div className="relative min-h-0 flex-1">
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <div
        ref={frame}
        onScroll={look}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={t("thread")}
        className="h-full overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        <div ref={content}>{children}</div>
      </div>
      {away && (
        // At the edge, where it covers no text.
        <Button
          size="small"
          onClick={() => {
            toEnd();
            recent.current = { since: performance.now(), ...last.current }; // they were at the end when more arrived
          }}
          aria-label={t("latest")}
          title={t("latest")}
          className="absolute right-3 bottom-3 size-9 animate-rise rounded-full p-0 shadow-lift"
        >
          <ArrowDown aria-hidden />
        </Button>
      )}
    </div>
  );
}
