import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EvidenceCrop } from "@/parts/document";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import type { Candidate } from "./facts";
import { PlaceLink, Section, useShared } from "./parts";
import type { Said } from "./useBrief";

/** The fields that are asked about, in this order. */
const asked = [
  "reply_due",
  "hearing",
  "demand",
  "issue_date",
  "gstin",
  "form",
  "reference",
  "legal_name",
  "officer",
] as const;
type Asked = (typeof asked)[number];
/** Asked about even if only the reader has values to choose from. */
const mattersMost: readonly Asked[] = ["reply_due", "hearing", "demand", "issue_date", "gstin"];

/**
 * Asks what the program does not know and a person can settle with one click: which date is right, how much is claimed,
 * whether the paper is a notice at all.
 */
export function ToSettle({ busy, onSay }: { busy: boolean; onSay: (said: Said) => void }) {
  const { t } = useTranslation("notices");
  const { facts, correct } = useShared();
  const needs = new Set(facts.attention.map(({ code }) => code));
  const page = facts.attention.find(({ code }) => code === "amount_unread")?.page ?? 1;
  const questions = asked.flatMap((field) => {
    const all = facts.candidates[field] ?? [];
    const open = mattersMost.includes(field) ? all : all.filter(({ proposed }) => proposed);
    return open.length === 0 ? [] : [{ field, open }];
  });
  const unread = needs.has("amount_unread") && facts.candidates.demand === undefined;
  const doubted = facts.isNotice === "doubtful" || facts.isNotice === "no";
  const asksNotice = doubted && !("is_notice" in facts.corrected);
  if (questions.length === 0 && needs.size === 0 && !asksNotice) return null;
  const give = (field: string, words: string) => (
    <Button
      size="small"
      className="mt-1.5"
      disabled={busy || correct === null}
      onClick={() => {
        correct?.(field);
      }}
    >
      {words}
    </Button>
  );
  return (
    <div role="group" aria-label={t("settle.title")}>
      <Section
        title={t("settle.title")}
        icon={<CircleHelp aria-hidden />}
        className="rounded-xl border border-due/40 bg-due-soft/40 p-4 print:hidden"
      >
        <ul className="mt-1 space-y-4 text-[0.9375rem]">
          {asksNotice && (
            <Item words={t(facts.isNotice === "no" ? "settle.noNotice" : "settle.isNotice")}>
              <p className="mt-1.5 flex flex-wrap gap-2">
                {(["yes", "no"] as const).map((answer) => (
                  <Button
                    key={answer}
                    size="small"
                    disabled={busy}
                    onClick={() => {
                      onSay({ field: "is_notice", value: answer });
                    }}
                  >
                    {t(`settle.answer.${answer}`)}
                  </Button>
                ))}
              </p>
            </Item>
          )}
          {questions.map(({ field, open }) => (
            <Question key={field} field={field} open={open} busy={busy} onSay={onSay} />
          ))}
          {needs.has("no_date") && facts.candidates.reply_due === undefined && (
            <Item words={t("settle.noDate")}>{give("reply_due", t("settle.giveDate"))}</Item>
          )}
          {unread && (
            <Item words={t("settle.amountUnread", { page })}>
              <PlaceLink page={page} quote={null} of={t("field.demand")} />
              <br />
              {give("demand", t("settle.giveAmount"))}
            </Item>
          )}
          {needs.has("form_unknown") && !questions.some(({ field }) => field === "form") && (
            <Item words={t("settle.formUnknown")}>{give("form", t("settle.giveForm"))}</Item>
          )}
        </ul>
      </Section>
    </div>
  );
}

function Item({ words, children }: { words: string; children: ReactNode }) {
  return (
    <li>
      <p>{words}</p>
      {children}
    </li>
  );
}

/** A field with its possible values: a click on one settles it; the words of each can be shown on the page. */
function Question({
  field,
  open,
  busy,
  onSay,
}: {
  field: Asked;
  open: Candidate[];
  busy: boolean;
  onSay: (said: Said) => void;
}) {
  const { t } = useTranslation("notices");
  const { documentId, correct } = useShared();
  const name = t(`field.${field}`);
  return (
    <li>
      <p className="font-medium">{t(open.length === 1 ? "settle.ask.one" : "settle.ask.many", { field: name })}</p>
      <ul className="mt-1.5 space-y-2.5">
        {open.map((candidate) => {
          const value = shownAs(field, candidate.value);
          return (
            <li key={candidate.value}>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Button
                  size="small"
                  className="tabular-nums"
                  disabled={busy}
                  aria-label={t("settle.takeLabel", { field: name, value })}
                  onClick={() => {
                    onSay({ field, value: saidAs(field, candidate.value) });
                  }}
                >
                  {t("settle.take", { value })}
                </Button>
                {candidate.proposed === true && <span className="text-sm text-ink-soft">{t("settle.proposed")}</span>}
                <PlaceLink
                  page={candidate.page === 0 ? null : candidate.page}
                  quote={candidate.quote === "" ? null : candidate.quote}
                  of={value}
                />
              </span>
              {documentId !== null && candidate.page > 0 && candidate.quote !== "" && (
                <EvidenceCrop documentId={documentId} page={candidate.page} quote={candidate.quote} />
              )}
            </li>
          );
        })}
      </ul>
      <Button
        look="link"
        size="bare"
        className="mt-1.5 text-sm"
        disabled={busy || correct === null}
        aria-label={t("settle.noneLabel", { field: name })}
        onClick={() => {
          correct?.(field);
        }}
      >
        {t("settle.none")}
      </Button>
    </li>
  );
}

function shownAs(field: Asked, value: string): string {
  switch (field) {
    case "demand":
      return money(Number(value));
    case "reply_due":
    case "issue_date":
      return day(value);
    case "hearing":
      return [day(value.slice(0, 10)), value.slice(11)].filter((part) => part !== "").join(", ");
    default:
      return value;
  }
}

/** Returns a candidate in the form of a correction of its field. */
function saidAs(field: Asked, value: string): unknown {
  switch (field) {
    case "demand":
      return { rows: [], total: Number(value), currency: "INR" };
    case "hearing":
      return { date: value.slice(0, 10), time: value.slice(11) || null, venue: null };
    default:
      return value;
  }
}
