import { Suspense, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { ConversationPage, type FrameParts } from "@/parts/conversation";
import { useEvidence } from "@/parts/document";
import { day, money } from "@/lib/format";
import { Skeleton } from "@/lib/ui/skeleton";
import { daysOfNotice, ForNotice } from "@/parts/law";
import { Brief, DaysLeft, readFacts, sumOf, type Facts } from "./brief";
import { FiguresView } from "./figures";
import { NoticePanes } from "./NoticePanes";
import { ReplyView } from "./reply";
import { home, useWords } from "./words";

/** One notice: its pages, its conversation, and what the program is sure of. */
export function NoticePage() {
  const { id = "" } = useParams();
  const words = useWords();
  return (
    <ConversationPage
      key={id}
      id={id}
      home={home}
      words={words}
      takes={{ documents: true, questions: true, figures: true }}
      Frame={Frame}
    />
  );
}

function Frame({ detail, subject, conversation, view }: FrameParts) {
  const { t } = useTranslation("notices");
  const opened = useEvidence()?.documentId ?? null;
  if (subject === null) return conversation;
  const facts = readFacts(detail.facts);
  const document = detail.documents?.find(({ id }) => id === opened) ?? subject;
  const deadline =
    facts === null ? null : facts.replyDue.date === null ? (
      <span className="text-due">{t("facts.replyUnknownShort")}</span>
    ) : (
      <span className="flex flex-wrap items-center gap-x-2">
        {t("facts.replyByDate", { date: day(facts.replyDue.date) })}
        <DaysLeft date={facts.replyDue.date} />
      </span>
    );
  return (
    <ForNotice days={daysOfNotice(detail.facts)}>
      <NoticePanes
        document={document}
        conversation={conversation}
        reply={
          <Suspense fallback={<Skeleton className="m-6 h-7" />}>
            <ReplyView detail={detail} deadline={deadline} view={view} />
          </Suspense>
        }
        figures={
          <Suspense fallback={<Skeleton className="m-6 h-7" />}>
            <FiguresView detail={detail} view={view} />
          </Suspense>
        }
        brief={
          facts === null ? (
            <p className="text-[0.9375rem] text-ink-soft">{t("facts.none")}</p>
          ) : (
            <Brief facts={facts} documentId={subject.id} />
          )
        }
        gist={facts === null ? null : <Gist facts={facts} deadline={deadline} />}
      />
    </ForNotice>
  );
}

/** What came, how much is claimed, and until when to answer: three lines, each of which says where it was not read. */
function Gist({ facts: { form, demand }, deadline }: { facts: Facts; deadline: ReactNode }) {
  const { t } = useTranslation("notices");
  const total = demand === null ? null : (demand.total ?? demand.rows.reduce((sum, row) => sum + sumOf(row), 0));
  return (
    <ul className="space-y-0.5">
      <li className="short:hidden">
        {form === null ? <span className="text-due">{t("gist.what")}</span> : t("facts.form", { form })}
      </li>
      <li className="tabular-nums short:hidden">
        {total === null ? (
          <span className="text-due">{t("gist.noDemand")}</span>
        ) : (
          t("gist.demand", { amount: money(total) })
        )}
      </li>
      <li>{deadline}</li>
    </ul>
  );
}
