import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ApiError, sentenceOf, type LawDigest, type LawProvision, type LawText } from "@/lib/api";
import { CopyText } from "@/lib/ui/copy";
import { day } from "@/lib/format";
import { spoken } from "@/lib/i18n";
import { say } from "@/lib/message";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Section } from "@/lib/ui/section";
import { Skeleton } from "@/lib/ui/skeleton";
import { quotation } from "./copy";
import type { NoticeDays } from "./notice";
import { onDayOf } from "./onDay";
import { useTitles } from "./title";
import { paragraphsOf } from "./words";

type Props = {
  provision: LawProvision;
  /** The period of the notice for which it is read; null if the day was chosen in another way. */
  period?: NoticeDays["period"];
  /** The level of its headings. */
  level: 2 | 3;
  /** Shows it as on another day. */
  onDay: (on: string) => void;
};

/** A provision as on a day: what to know about that day, the digest, and the official text if the server has it. */
export function Provision({ provision, period = null, level, onDay }: Props) {
  const { t } = useTranslation("law");
  const { whole } = useTitles();
  const { digest, heading } = provision;
  return (
    <>
      <p className="mt-3 font-serif text-[1.0625rem]">{term(heading)}</p>
      <AsOn provision={provision} period={period} onDay={onDay} />
      {digest !== undefined && <Digest digest={digest} of={provision} level={level} />}
      <Words provision={provision} level={level} />
      <CopyText
        label={t("copy.label")}
        done={t("copy.done")}
        failed={t("copy.failed")}
        text={quotation(provision, {
          title: whole(provision.act, provision.number),
          digest: digest === undefined ? "" : saidIn(digest),
          day,
          asOn: (values) => t("copy.asOn", values),
          from: (values) => t("copy.from", values),
          ours: t("copy.ours"),
        })}
      />
    </>
  );
}

/**
 * What to know about the day: whether the provision was law then, and whether it changed within the period or since.
 */
function AsOn({ provision, period, onDay }: Required<Pick<Props, "provision" | "period" | "onDay">>) {
  const { t } = useTranslation("law");
  const { law, day: turn, later, within } = onDayOf(provision, period);
  const newest = later.at(-1);
  const lines = [
    law === "not yet" && turn !== null && t("asOn.notYet", { day: day(turn) }),
    law === "ended" && turn !== null && t("asOn.ended", { day: day(turn) }),
    within.length > 0 && t("asOn.within", { days: within.map(day).join(", ") }),
    newest !== undefined && t("asOn.later", { count: later.length, day: day(newest) }),
  ].filter((line) => line !== false);
  return (
    <div className="mt-1 text-sm">
      <p className="text-ink-soft">
        {period === null
          ? t("asOn.day", { day: day(provision.on) })
          : t("asOn.period", { day: day(provision.on), years: period.years })}
      </p>
      {lines.length > 0 && (
        <ul className="mt-2 space-y-1 border-l-2 border-due pl-3">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {law !== "yes" && turn !== null && (
        <Button
          look="link"
          size="bare"
          className="mt-1 text-sm"
          onClick={() => {
            onDay(turn);
          }}
        >
          {t("asOn.show", { day: day(turn) })}
        </Button>
      )}
    </div>
  );
}

/** Returns the digest in the current language. */
export const saidIn = ({ english, hindi }: LawDigest): string => (spoken() === "hi" && hindi !== "" ? hindi : english);

function Digest({ digest, of, level }: { digest: LawDigest; of: LawProvision; level: 2 | 3 }) {
  const { t } = useTranslation("law");
  const { title } = useTitles();
  const { from, until, numbers, certainty, source, note } = digest;
  return (
    <Section title={t("digest.title")} level={level} className="mt-5">
      {digest.number !== of.number && (
        <p className="mt-1 text-sm text-due">
          {t("digest.around", { part: title(of.act.unit, of.number), whole: title(of.act.unit, digest.number) })}
        </p>
      )}
      <p className="mt-1.5 font-serif text-[1.0625rem] leading-relaxed">{saidIn(digest)}</p>
      {(numbers ?? []).length > 0 && (
        <dl lang="en" className="mt-2 text-[0.9375rem]">
          {(numbers ?? []).map(({ what, value, unit }) => (
            <div key={`${what} ${value}`} className="flex justify-between gap-4 border-b border-rule py-1">
              <dt className="first-letter:uppercase">{what}</dt>
              <dd className="text-right font-medium tabular-nums">{amount(value, unit)}</dd>
            </div>
          ))}
        </dl>
      )}
      {note !== undefined && note !== "" && (
        <p lang="en" className="mt-2 border-l-2 border-due pl-3 text-[0.9375rem]">
          {note}
        </p>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        {until === undefined || until === ""
          ? t("since", { day: day(from) })
          : t("between", { from: day(from), until: day(until) })}{" "}
        {t(`digest.certainty.${certainty}`)} <span lang="en">{t("digest.source", { source })}</span>
      </p>
    </Section>
  );
}

/** Formats a number of the digest: 30 days, 18 %, ₹25,000, 30 November. */
function amount(value: string, unit: string): string {
  const number = Number(value);
  if (unit === "date" || unit === "count" || Number.isNaN(number)) return value;
  const grouped = new Intl.NumberFormat("en-IN", { maximumFractionDigits: 3 }).format(number);
  return unit === "percent"
    ? `${grouped} %`
    : unit === "rupees"
      ? `₹${grouped}`
      : `${grouped} ${number === 1 ? unit.replace(/s$/, "") : unit}`;
}

function Words({ provision, level }: { provision: LawProvision; level: 2 | 3 }) {
  const { t } = useTranslation("law");
  const { text, missing, source, later, act, history } = provision;
  const held = text !== undefined && text.words !== "";
  const imported = held || (history ?? []).length > 0 || source !== undefined;
  return (
    <Section title={t("text.title")} level={level} className="mt-5">
      {held && <Text text={text} part={provision.number} unit={act.unit} />}
      {missing !== undefined && <p className="mt-1.5 border-l-2 border-due pl-3 text-[0.9375rem]">{say(missing)}</p>}
      {!imported && <HowToImport />}
      {held && (text.changed_between ?? []).length === 2 && (
        <p className="mt-2 text-sm text-due">
          {t("text.between", {
            from: day(text.changed_between?.[0] ?? ""),
            to: day(text.changed_between?.[1] ?? ""),
          })}
        </p>
      )}
      {(later ?? []).length > 0 && (
        <ul className="mt-2 space-y-1">
          {(later ?? []).map(({ by, from, date }) => (
            <li key={by} className="flex gap-2 text-sm text-due">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {from === undefined || from === ""
                ? t("text.later", { by, date: day(date ?? "") })
                : t("text.laterFrom", { by, day: day(from) })}
            </li>
          ))}
        </ul>
      )}
      {held && source !== undefined && (
        <p className="mt-2 text-sm text-ink-soft">
          {text.as_on === undefined || text.as_on === ""
            ? t("text.source", { source: source.publisher })
            : t("text.sourceAsOn", { source: source.publisher, day: day(text.as_on) })}
        </p>
      )}
    </Section>
  );
}

const command = "munshi law import FILE";

/** How to import the official text, if it is missing. */
export function HowToImport() {
  const { t } = useTranslation("law");
  return (
    <p className="mt-1.5 text-sm text-ink-soft">
      {t("import.how")} <code className="rounded bg-margin px-1 text-ink">{command}</code>
    </p>
  );
}

function Text({ text, part, unit }: { text: LawText; part: string; unit: string }) {
  const { t } = useTranslation("law");
  const { title } = useTitles();
  const marks = text.marks ?? [];
  const shown = new Set<number>();
  const paragraphs = paragraphsOf(text.words, marks);
  for (const { mark } of paragraphs.flat()) {
    if (mark === null) continue;
    shown.delete(mark); // it is numbered where it ends
    shown.add(mark);
  }
  const numbered = [...shown];
  return (
    <>
      {text.whole && <p className="mt-1 text-sm text-due">{t("text.whole", { part: title(unit, part) })}</p>}
      <div
        lang="en"
        className="mt-2 space-y-2 rounded-lg bg-margin px-4 py-3 font-serif text-[1.0625rem] leading-relaxed"
      >
        {paragraphs.map((pieces, index) => (
          <p key={index}>
            {pieces.map(({ text: words, mark }, at) =>
              mark === null ? (
                words
              ) : (
                <span key={at}>
                  {words !== "" && <mark className="amended">{words}</mark>}
                  {paragraphs.findLastIndex((all) => all.some((piece) => piece.mark === mark)) === index &&
                    pieces.findLastIndex((piece) => piece.mark === mark) === at && (
                      <sup className="font-sans text-xs font-medium text-accent">
                        {words === "" ? "✱" : ""}
                        {numbered.indexOf(mark) + 1}
                      </sup>
                    )}
                </span>
              ),
            )}
          </p>
        ))}
      </div>
      {numbered.length > 0 && (
        <ol aria-label={t("text.amendments")} className="mt-2 space-y-1 text-sm text-ink-soft">
          {numbered.map((mark, index) => {
            const { kind, from, by } = marks[mark] ?? { kind: "unclear" };
            return (
              <li key={mark} className="flex gap-2">
                <span className="tabular-nums">{index + 1}</span>
                <span>
                  {from === undefined || from === ""
                    ? t(`text.mark.${kind}`)
                    : t("text.markFrom", { what: t(`text.mark.${kind}`), day: day(from) })}
                  {by !== undefined && by !== "" && (
                    <span lang="en" className="block">
                      {by}
                    </span>
                  )}
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </>
  );
}

export function ProvisionLoading() {
  const { t } = useTranslation("law");
  return (
    <div className="space-y-3 py-2" role="status" aria-label={t("loading")}>
      <Skeleton className="w-2/3" />
      <Skeleton />
      <Skeleton />
      <Skeleton className="w-4/5" />
    </div>
  );
}

export function ProvisionFailed({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation("law");
  const unknown = error instanceof ApiError && error.status === 404;
  return (
    <div className="py-4">
      <p role="alert">{sentenceOf(error, t("failed"))}</p>
      {!unknown && (
        <Button size="small" className="mt-3" onClick={onAgain}>
          {t("again")}
        </Button>
      )}
    </div>
  );
}
