import { ListChecks, TriangleAlert } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Check } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { markId } from "./Marked";
import { toneOf, wordsOf, type Mark, type Tone } from "./marks";

type CheckedProps = {
  /** Of the answer. */
  id: string;
  checks: Check[];
  /** Those that stand in the text above. */
  shown: Mark[];
};

/** What the program found in the answer above: how much could be looked up, and each point that could not, with the way to it. */
export function Checked({ id, checks, shown }: CheckedProps) {
  const { t } = useTranslation("conversation");
  const at = useRef<Partial<Record<Tone, number>>>({});
  if (checks.length === 0) return null;
  const jump = (index: number) => {
    const element = document.getElementById(markId(id, index));
    element?.scrollIntoView({ block: "center" });
    element?.focus({ preventScroll: true });
  };
  const next = (tone: Tone) => {
    const marks = shown.filter((mark) => toneOf(mark) === tone);
    const turn = at.current[tone] ?? 0;
    at.current[tone] = turn + 1;
    const mark = marks[turn % Math.max(marks.length, 1)];
    if (mark !== undefined) jump(mark.index);
  };
  const count = (tone: Tone) => checks.filter((check) => toneOf(check) === tone).length;
  const bad = checks.map((check, index) => ({ check, index })).filter(({ check }) => toneOf(check) === "bad");
  const counts: [Tone, string][] = [];
  if (count("good") > 0) counts.push(["good", t("checked.found", { count: count("good") })]);
  if (count("open") > 0) counts.push(["open", t("checked.open", { count: count("open") })]);
  counts.push(["bad", bad.length > 0 ? t("checked.bad", { count: bad.length }) : t("checked.none")]);
  const stands = (index: number) => shown.some((mark) => mark.index === index);
  return (
    <section aria-label={t("checked.title")} className={bad.length > 0 ? "mt-5 max-w-2xl border-l-2 border-due pl-4 text-[0.9375rem]" : "mt-5 max-w-2xl text-[0.9375rem] text-ink-soft"}>
      <p className="flex gap-2">
        {bad.length > 0 ? <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0 text-due" /> : <ListChecks aria-hidden className="mt-1 size-4 shrink-0" />}
        <span>
          {counts.map(([tone, words], index) => (
            <span key={tone}>
              {index > 0 && ", "}
              {shown.some((mark) => toneOf(mark) === tone) ? <Jump onClick={() => { next(tone); }}>{words}</Jump> : words}
            </span>
          ))}
          .
        </span>
      </p>
      {bad.length > 0 && (
        <ul className="mt-1.5 space-y-1.5">
          {bad.map(({ check, index }) => (
            <li key={index}>
              {check.quote !== "" && <>{stands(index) ? <Jump onClick={() => { jump(index); }}><q className="font-serif">{wordsOf(check)}</q></Jump> : <q className="font-serif">{wordsOf(check)}</q>} </>}
              {check.message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Jump({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button look="link" size="bare" className="inline text-left text-[length:inherit] whitespace-normal" onClick={onClick}>
      {children}
    </Button>
  );
}
