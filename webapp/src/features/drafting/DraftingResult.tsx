import { useQuery } from "@tanstack/react-query";
import { Check, Download, PenLine } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { draftWordUrl, writtenDraftsOptions, type Plugin, type Turn } from "@/lib/api";
import { ConversationPage, WordFile, type FrameParts } from "@/parts/conversation";
import { Button } from "@/lib/ui/button";
import { home, useWords } from "./words";

/** A draft while it is being written, and then with what can be done with it. */
export function DraftingResult({ plugin, id }: { plugin: Plugin; id: string }) {
  return <ConversationPage id={id} home={home} words={useWords(plugin)} takes={nothing} Frame={WithDraft} />;
}

const nothing = { documents: false, questions: false };

function WithDraft({ detail, conversation, view }: FrameParts) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {conversation}
      {detail.turn !== null && !view.working && <Acts conversation={detail.id} turn={detail.turn} />}
    </div>
  );
}

/** The buttons for a draft that has been written, or has failed. */
function Acts({ conversation, turn }: { conversation: string; turn: Turn }) {
  const { t } = useTranslation("drafting");
  const answered = turn.state === "answered";
  const { queryKey, ...options } = writtenDraftsOptions(conversation);
  // What was saved belongs to its turn; another turn may have saved another draft.
  const { data, isError } = useQuery({
    ...options,
    queryKey: [...queryKey, turn.id] as unknown as typeof queryKey,
    enabled: answered,
  });
  const draft = data?.drafts?.find(({ turn_id: written }) => written === turn.id);
  return (
    <section aria-label={t("word")} className="border-t border-rule bg-margin">
      <div className="mx-auto flex w-full max-w-3xl flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
        {draft !== undefined && (
          <>
            <Button look="primary" asChild>
              <WordFile href={draftWordUrl(draft.id)}>
                <Download aria-hidden />
                {t("word")}
              </WordFile>
            </Button>
            <Button asChild>
              <Link to={`/app/drafts/${draft.id}`}>
                <PenLine aria-hidden />
                {t("edit")}
              </Link>
            </Button>
          </>
        )}
        <Button asChild>
          <Link to={home}>{t("another")}</Link>
        </Button>
        {answered && (data !== undefined || isError) && (
          <p role="status" className="flex items-center gap-1.5 text-sm text-ink-soft">
            {draft !== undefined && <Check aria-hidden className="size-4 text-safe" />}
            {t(draft !== undefined ? "saved" : isError ? "savedUnknown" : "savedGone")}
          </p>
        )}
      </div>
    </section>
  );
}
