import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import type { ConversationDetail } from "@/lib/api";
import { ConversationPage } from "@/lib/conversation";
import { day } from "@/lib/format";
import { useMedia } from "@/lib/ui/media";
import { readFacts, type Facts } from "./facts";
import { DaysLeft, FactsCard } from "./FactsCard";
import { home, useWords } from "./words";

/** One notice: its conversation, what the program is sure of, and the papers that are still needed. */
export function NoticePage() {
  const { id = "" } = useParams();
  const words = useWords();
  const wide = useMedia("(min-width: 80rem)");
  const facts = (detail: ConversationDetail, notice: string | null) => {
    const read = readFacts(detail.facts);
    if (read === null) return null;
    return wide ? <FactsBeside facts={read} documentId={notice} /> : <FoldedFacts facts={read} documentId={notice} />;
  };
  return (
    <ConversationPage
      key={id}
      id={id}
      home={home}
      words={words}
      takes={{ documents: true, questions: true }}
      {...(wide ? { beside: facts } : { above: facts })}
    />
  );
}

type Props = { facts: Facts; documentId: string | null };

function FactsBeside({ facts, documentId }: Props) {
  const { t } = useTranslation("notices");
  return (
    <aside aria-labelledby="facts" className="w-[22rem] shrink-0 overflow-y-auto border-l border-rule px-6 py-6">
      <h2 id="facts" className="mb-4 text-sm font-medium text-ink-soft">
        {t("facts.title")}
      </h2>
      <FactsCard facts={facts} documentId={documentId} />
    </aside>
  );
}

function FoldedFacts({ facts, documentId }: Props) {
  const { t } = useTranslation("notices");
  return (
    <details className="group mb-8 border-b border-rule pb-4">
      <summary className="flex min-h-9 cursor-pointer list-none items-start gap-2 rounded [&::-webkit-details-marker]:hidden">
        <ChevronDown aria-hidden className="mt-1 size-4 -rotate-90 text-ink-soft transition-transform group-open:rotate-0" />
        <span>
          <span className="font-medium">{t("facts.title")}</span>
          {facts.replyDue.date !== null && (
            <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.9375rem] text-ink-soft group-open:hidden">
              {t("facts.replyByDate", { date: day(facts.replyDue.date) })}
              <DaysLeft date={facts.replyDue.date} />
            </span>
          )}
        </span>
      </summary>
      <div className="pt-4">
        <FactsCard facts={facts} documentId={documentId} />
      </div>
    </details>
  );
}
