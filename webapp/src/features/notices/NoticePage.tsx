import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { ConversationPage, type FrameParts } from "@/parts/conversation";
import { useEvidence } from "@/parts/document";
import { Skeleton } from "@/lib/ui/skeleton";
import { daysOfNotice, ForNotice } from "@/parts/law";
import { Brief, readFacts } from "./brief";
import { FiguresView } from "./figures";
import { ByWhen, Gist } from "./Gist";
import { NoticePanes } from "./NoticePanes";
import { ReplyView } from "./reply";
import { home, useWords } from "./words";

/** A notice: its pages, its conversation, and the brief. */
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
  return (
    <ForNotice days={daysOfNotice(detail.facts)}>
      <NoticePanes
        document={document}
        conversation={conversation}
        reply={
          <Suspense fallback={<Skeleton className="m-6 h-7" />}>
            <ReplyView detail={detail} deadline={facts === null ? null : <ByWhen facts={facts} reply />} view={view} />
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
        gist={facts === null ? null : <Gist id={detail.id} facts={facts} />}
      />
    </ForNotice>
  );
}
