import { ChevronDown, Pencil, Undo2 } from "lucide-react";
import { createContext, useContext, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { documentUrl } from "@/lib/api";
import { EvidenceLink, useOpenEvidence } from "@/parts/document";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { list, readDemand, record, sumOf, text, type Facts, type Place } from "./facts";

type Shared = {
  facts: Facts;
  documentId: string | null;
  /** Opens the dialog to correct a field; null while nothing can be corrected. */
  correct: ((field: string) => void) | null;
  undo: (field: string) => void;
};

const Shared = createContext<Shared | null>(null);
export const ShareBrief = Shared;

/** Returns what all parts of the brief share. */
export function useShared(): Shared {
  const shared = useContext(Shared);
  if (shared === null) throw new Error("a part of the brief stands outside of it");
  return shared;
}

/** A part of the brief with a heading. */
export function Section({
  title,
  icon,
  children,
  className,
}: {
  title: string;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={className}>
      <h3 className="flex items-center gap-2 text-sm font-medium text-ink-soft [&_svg]:size-4">
        {icon}
        {title}
      </h3>
      <div className="mt-1.5">{children}</div>
    </section>
  );
}

/** Details that can be unfolded; on paper they are unfolded. */
export function Fold({ summary, children, open = false }: { summary: ReactNode; children: ReactNode; open?: boolean }) {
  return (
    <details open={open} className="group/fold border-b border-rule">
      <summary className="flex min-h-11 cursor-pointer list-none items-start gap-2 rounded py-2.5 [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden
          className="mt-1 size-4 shrink-0 -rotate-90 text-ink-soft transition-transform group-open/fold:rotate-0 print:hidden"
        />
        <span className="min-w-0 flex-1">{summary}</span>
      </summary>
      <div className="pb-3 pl-6 text-[0.9375rem]">{children}</div>
    </details>
  );
}

/** A link to where something was read: next to the conversation if the notice is shown there, else in a new tab. */
export function PlaceLink({ page, quote, of }: { page: number | null; quote: string | null; of?: string }) {
  const { t } = useTranslation("notices");
  const { documentId } = useShared();
  const open = useOpenEvidence();
  if (page === null || documentId === null) return null;
  const words = t("facts.page", { page });
  const label = of === undefined ? words : t("facts.pageOf", { page, field: of });
  if (open !== null) {
    return (
      <EvidenceLink evidence={{ page, quote }} label={label}>
        {words}
      </EvidenceLink>
    );
  }
  return (
    <a
      href={documentUrl(documentId, page)}
      aria-label={label}
      target="_blank"
      rel="noopener"
      className="text-accent underline underline-offset-2"
    >
      {words}
    </a>
  );
}

/** Where a field was read, what the person said about it, and a button to correct it. */
export function Origin({ field, className }: { field: string; className?: string }) {
  const { t } = useTranslation("notices");
  const { facts, correct, undo } = useShared();
  const place: Place | undefined = facts.evidence[field];
  const name = t(`field.${field as "form"}`);
  const was = field in facts.corrected;
  return (
    <span className={cn("flex flex-wrap items-center gap-x-2 text-sm text-ink-soft", className)}>
      {was ? (
        <span>
          {t(field === "served_on" || field === "portions" ? "correct.given" : "correct.was", {
            value: shown(field, facts.corrected[field]) ?? t("correct.nothing"),
          })}
        </span>
      ) : (
        <>
          {place?.repaired === true && <span>{t("correct.repaired")}</span>}
          {facts.confirmed.includes(field) && <span>{t("correct.confirmed")}</span>}
        </>
      )}
      {place !== undefined && <PlaceLink page={place.page} quote={place.quote === "" ? null : place.quote} of={name} />}
      {correct !== null && (
        <span className="-my-1 flex print:hidden">
          <Button
            look="quiet"
            size="icon-small"
            className="size-7 [&_svg]:size-3.5"
            title={t("correct.open", { field: name })}
            aria-label={t("correct.open", { field: name })}
            onClick={() => {
              correct(field);
            }}
          >
            <Pencil aria-hidden />
          </Button>
          {(was || facts.confirmed.includes(field)) && (
            <Button
              look="quiet"
              size="icon-small"
              className="size-7 [&_svg]:size-3.5"
              title={t("correct.undo", { field: name })}
              aria-label={t("correct.undo", { field: name })}
              onClick={() => {
                undo(field);
              }}
            >
              <Undo2 aria-hidden />
            </Button>
          )}
        </span>
      )}
    </span>
  );
}

/** Formats a value of a field for people; null for no value. */
export function shown(field: string, value: unknown): string | null {
  switch (field) {
    case "issue_date":
    case "served_on":
    case "reply_due": {
      const date = text(value);
      return date === null ? null : day(date);
    }
    case "periods": {
      const years = list(value).flatMap((period) => text(record(period).fy) ?? []);
      return years.length === 0 ? null : years.join(", ");
    }
    case "demand": {
      const demand = readDemand(value);
      if (demand === null) return null;
      return money(demand.total ?? demand.rows.reduce((sum, row) => sum + sumOf(row), 0));
    }
    case "hearing": {
      const date = text(record(value).date);
      return date === null ? null : day(date);
    }
    default:
      return text(value);
  }
}

/** Sentences about uncertainties. */
export function Doubts({ doubts }: { doubts: string[] }) {
  if (doubts.length === 0) return null;
  return (
    <ul className="mt-1 space-y-1 text-sm text-ink-soft">
      {doubts.map((doubt) => (
        <li key={doubt} className="border-l-2 border-due pl-2.5">
          {doubt}
        </li>
      ))}
    </ul>
  );
}
