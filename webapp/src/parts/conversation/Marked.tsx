import { Check as Tick } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EvidenceLink } from "@/parts/document";
import { addressOf, ProvisionLink } from "@/parts/law";
import { valueOf } from "@/lib/message";
import { saidOf, term } from "@/lib/terms";
import { cn } from "@/lib/ui/cn";
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from "@/lib/ui/popover";
import { isNoted, labelOf, markId, toneOf, wordsOf, type Mark } from "./marks";

type MarkedProps = {
  mark: Mark;
  /** Id of the answer. */
  id: string;
  /** True if the marked words end here; emphasis may split them into several pieces. */
  last: boolean;
  /** True if the words are in a link, which cannot contain a button. */
  plain: boolean;
  children?: ReactNode;
};

/** Marked words of an answer with the finding: a discreet tick, or a note that they are not verified. */
export function Marked({ mark, id, last, plain, children }: MarkedProps) {
  const { t } = useTranslation("conversation");
  if (mark.code === "figure" && mark.verdict !== "in_document" && toneOf(mark) === "good")
    return plain ? <>{children}</> : <Figure mark={mark}>{children}</Figure>;
  const label = labelOf(t, mark);
  const tone = toneOf(mark);
  const { page, words: quote = null } = mark;
  const address = mark.code === "provision" ? provisionOf(mark) : null;
  const shownWords =
    address !== null && !plain ? (
      <ProvisionLink
        quiet
        address={address}
        className={tone === "bad" ? "decoration-due decoration-wavy decoration-1 underline-offset-4" : undefined}
      >
        {children}
      </ProvisionLink>
    ) : page !== undefined ? (
      plain ? (
        <>{children}</>
      ) : (
        <EvidenceLink quiet evidence={{ page, quote }}>
          {children}
        </EvidenceLink>
      )
    ) : (
      <mark
        className={cn(
          "bg-transparent text-inherit",
          tone === "bad" && "underline decoration-due decoration-wavy decoration-1 underline-offset-4",
        )}
      >
        {mark.code === "claim" ? <s>{children}</s> : children}
      </mark>
    );
  const words = <span data-note={last && isNoted(mark) ? `${wordsOf(mark)}: ${label}` : undefined}>{shownWords}</span>;
  if (!last || mark.verdict === "in_document") return words; // its link shows where it is
  const shown = tone === "good" ? <Tick aria-hidden className="inline size-[0.8em] align-baseline" /> : label;
  const look = cn(
    "rounded align-baseline font-sans text-[0.75em] leading-[1.35] font-medium not-italic no-underline",
    tone === "good" && "-my-1 py-1 pl-0.5 text-safe",
    tone === "open" && "mx-[0.15em] border border-rule-strong px-1 text-ink-soft",
    tone === "bad" && "mx-[0.15em] bg-due-soft px-1.5 py-px text-due",
  );
  if (plain) {
    return (
      <>
        {words}
        <span data-label className={look}>
          {shown}
        </span>
      </>
    );
  }
  return (
    <>
      {words}
      <Popover>
        <PopoverTrigger
          id={markId(id, mark.index)}
          data-label
          data-tone={tone}
          className={look}
          aria-label={t("marks.name", { what: wordsOf(mark), label })}
        >
          {shown}
        </PopoverTrigger>
        <PopoverContent label={t("marks.about", { what: wordsOf(mark) })}>
          <Found mark={mark} />
        </PopoverContent>
      </Popover>
    </>
  );
}

/** A figure that says where it comes from when it is clicked. */
function Figure({ mark, children }: { mark: Mark; children: ReactNode }) {
  const { t } = useTranslation("conversation");
  return (
    <Popover>
      <PopoverTrigger className="evidence-link" data-source={mark.verdict}>
        {children}
      </PopoverTrigger>
      <PopoverContent label={t("marks.about", { what: wordsOf(mark) })}>
        <p className="font-medium">{wordsOf(mark)}</p>
        <p className="mt-1">{saidOf(mark)}</p>
      </PopoverContent>
    </Popover>
  );
}

/** The address of the provision that a mark is about; null if it is about none, or one that does not exist. */
const provisionOf = ({ code, verdict, act, provision }: Mark) =>
  (code === "provision" || code === "quotation") && verdict !== "unknown" ? addressOf(act, provision) : null;

/** What was found, and what that does not prove. */
function Found({ mark }: { mark: Mark }) {
  const { t } = useTranslation(["conversation", "law"]);
  const address = provisionOf(mark);
  const provision = mark.provision ?? wordsOf(mark);
  const what = mark.code === "fact" ? (valueOf(mark.said, "what") ?? wordsOf(mark)) : term(provision);
  return (
    <>
      <p className="font-medium first-letter:uppercase">
        {what}
        {mark.act !== undefined && mark.act !== "" && (
          <span className="font-normal text-ink-soft"> · {term(mark.act)}</span>
        )}
      </p>
      {mark.code !== "fact" && mark.heading !== undefined && mark.heading !== "" && (
        <p className="mt-1 font-serif">{term(mark.heading)}</p>
      )}
      {mark.message !== "" && <p className="mt-2">{saidOf(mark)}</p>}
      {mark.verdict === "exists" && (
        <p className="mt-2 text-ink-soft">{mark.code === "provision" ? t("marks.judge") : t("marks.judgeIssued")}</p>
      )}
      {address !== null && (
        <p className="mt-2">
          <PopoverClose asChild>
            <ProvisionLink address={address}>{t("law:read")}</ProvisionLink>
          </PopoverClose>
        </p>
      )}
    </>
  );
}
