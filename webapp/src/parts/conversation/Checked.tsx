import { ListChecks, TriangleAlert } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Check } from "@/lib/api";
import { listed } from "@/lib/format";
import { saidOf } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { markId, toneOf, wordsOf, type Mark } from "./marks";

type CheckedProps = {
  /** Id of the answer. */
  id: string;
  checks: Check[];
  /** The marks in the text above. */
  shown: Mark[];
};

/** Checks that are counted together. Linked ones have no mark to jump to, since their text is itself a link. */
type Group = { of: (check: Check) => boolean; words: (count: number) => string; linked?: boolean; always?: boolean };

/** The parts of an answer that may not have been checked. */
const kinds = {
  dates: "checked.kinds.dates",
  amounts: "checked.kinds.amounts",
  heads: "checked.kinds.heads",
  quotations: "checked.kinds.quotations",
  articles: "checked.kinds.articles",
  states: "checked.kinds.states",
} as const;

const isCitation = ({ code }: Check) => code !== "figure" && code !== "quotation";

/**
 * What the check found in the answer above: how much could be looked up, and each point that could not, with a link to
 * it.
 */
export function Checked({ id, checks: all, shown }: CheckedProps) {
  const { t } = useTranslation("conversation");
  const at = useRef<Partial<Record<number, number>>>({}); // how often each was jumped to
  const scope = all.find(({ code }) => code === "scope");
  const checks = all.filter((check) => check !== scope);
  const overlooked = (scope?.heading ?? "").split(",").filter((kind) => kind in kinds);
  const jump = (index: number) => {
    const element = document.getElementById(markId(id, index));
    element?.scrollIntoView({ block: "center" });
    element?.focus({ preventScroll: true });
  };
  const groups: Group[] = [
    { of: (check) => isCitation(check) && toneOf(check) === "good", words: (count) => t("checked.found", { count }) },
    { of: (check) => isCitation(check) && toneOf(check) === "open", words: (count) => t("checked.open", { count }) },
    { of: ({ verdict }) => verdict === "quoted", words: (count) => t("checked.quoted", { count }) },
    { of: ({ verdict }) => verdict === "in_authority", words: (count) => t("checked.inAuthority", { count }) },
    { of: ({ verdict }) => verdict === "in_notice", words: (count) => t("checked.inNotice", { count }) },
    { of: ({ verdict }) => verdict === "not_held", words: (count) => t("checked.notHeld", { count }) },
    { of: ({ verdict }) => verdict === "in_document", words: (count) => t("checked.figures", { count }), linked: true },
    { of: ({ verdict }) => verdict === "other_page", words: (count) => t("checked.otherPage", { count }) },
    { of: ({ verdict }) => verdict === "not_in_document", words: (count) => t("checked.notThere", { count }) },
    { of: ({ verdict }) => verdict === "not_in_notice", words: (count) => t("checked.notInNotice", { count }) },
    {
      of: (check) => toneOf(check) === "bad",
      words: (count) => (count > 0 ? t("checked.bad", { count }) : t("checked.none")),
      always:
        scope !== undefined &&
        checks.length > 0 &&
        overlooked.length === 0 &&
        checks.every((check) => toneOf(check) === "good"),
    },
  ];
  const lines = groups
    .map((group) => ({ ...group, count: checks.filter(group.of).length }))
    .filter(({ count, always }) => count > 0 || always === true);
  if (lines.length === 0 && overlooked.length === 0) return null;
  const next = (group: Group) => {
    const marks = shown.filter(group.of);
    const key = groups.indexOf(group);
    const turn = at.current[key] ?? 0;
    at.current[key] = turn + 1;
    const mark = marks[turn % Math.max(marks.length, 1)];
    if (mark !== undefined) jump(mark.index);
  };
  const bad = checks.map((check, index) => ({ check, index })).filter(({ check }) => toneOf(check) === "bad");
  const stands = (index: number) => shown.some((mark) => mark.index === index);
  return (
    <section
      aria-label={t("checked.title")}
      className={
        bad.length > 0
          ? "mt-5 max-w-2xl border-l-2 border-due pl-4 text-[0.9375rem]"
          : "mt-5 max-w-2xl text-[0.9375rem] text-ink-soft"
      }
    >
      <p className="flex gap-2">
        {bad.length > 0 ? (
          <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0 text-due" />
        ) : (
          <ListChecks aria-hidden className="mt-1 size-4 shrink-0" />
        )}
        <span>
          {lines.map((group, index) => (
            <span key={index}>
              {index > 0 && ", "}
              {group.linked !== true && shown.some(group.of) ? (
                <Jump
                  onClick={() => {
                    next(group);
                  }}
                >
                  {group.words(group.count)}
                </Jump>
              ) : (
                group.words(group.count)
              )}
            </span>
          ))}
          {lines.length > 0 && t("checked.stop") + (overlooked.length > 0 ? " " : "")}
          {overlooked.length > 0 &&
            t("checked.overlooked", {
              what: listed(overlooked.map((kind) => t(kinds[kind as keyof typeof kinds]))),
            })}
        </span>
      </p>
      {bad.length > 0 && (
        <ul className="mt-1.5 space-y-1.5">
          {bad.map(({ check, index }) => (
            <li key={index}>
              {check.quote !== "" && (
                <>
                  {stands(index) ? (
                    <Jump
                      onClick={() => {
                        jump(index);
                      }}
                    >
                      <q className="font-serif">{wordsOf(check)}</q>
                    </Jump>
                  ) : (
                    <q className="font-serif">{wordsOf(check)}</q>
                  )}{" "}
                </>
              )}
              {saidOf(check)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Jump({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button
      look="link"
      size="bare"
      className="inline text-left text-[length:inherit] whitespace-normal"
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
