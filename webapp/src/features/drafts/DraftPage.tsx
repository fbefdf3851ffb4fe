import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import {
  ApiError,
  conversationOptions,
  draftOptions,
  publicConfigOptions,
  replyOptions,
  sentenceOf,
  type Draft,
} from "@/lib/api";
import { WithEvidence } from "@/parts/document";
import { DraftView } from "@/parts/draft";
import { daysOfNotice, ForNotice } from "@/parts/law";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";

/** A draft of Draft History. */
export function DraftPage() {
  const { t } = useTranslation("drafts");
  const { id = "" } = useParams();
  const config = useQuery(publicConfigOptions()).data;
  const { data, error, refetch } = useQuery(draftOptions(id));
  usePageTitle(data?.title ?? "", t("title"), config?.product_name ?? "");
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-4 py-5 sm:px-6">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
          <Link
            to="/app/drafts"
            className="-ml-1 flex min-h-9 items-center gap-1 rounded text-sm text-ink-soft hover:text-ink"
          >
            <ChevronLeft aria-hidden className="size-4" />
            {t("title")}
          </Link>
          {data?.kind === "reply" && data.conversation_id !== null && (
            <Link
              to={noticeOf(data.conversation_id)}
              className="flex min-h-9 items-center rounded text-sm text-accent underline-offset-4 hover:underline"
            >
              {t("toNotice")}
            </Link>
          )}
        </div>
        {data !== undefined ? (
          <Shown key={id} draft={data} />
        ) : error === null ? (
          <div className="space-y-4" role="status" aria-label={t("loadingOne")}>
            <Skeleton className="h-7 w-2/3" />
            <Skeleton />
            <Skeleton />
          </div>
        ) : (
          <div className="py-10 text-center">
            <h1 className="font-serif text-2xl font-semibold">{t(missing ? "missing" : "failedOne")}</h1>
            <p className="mt-2 text-ink-soft">{missing ? t("missingHint") : sentenceOf(error, t("failedHint"))}</p>
            {!missing && (
              <Button look="primary" className="mt-5" onClick={() => void refetch()}>
                {t("again")}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

const noticeOf = (conversation: string) => `/app/notices/${conversation}/reply`;

/** A draft, and what is still undecided about the notice that it answers. */
function Shown({ draft }: { draft: Draft }) {
  const { t } = useTranslation("reply");
  const navigate = useNavigate();
  const conversation = draft.kind === "reply" ? draft.conversation_id : null;
  const reply = useQuery({ ...replyOptions(conversation ?? ""), enabled: conversation !== null }).data;
  // Citations are shown with the law that applied to the notice, whether the draft is its reply or not.
  const about = useQuery({
    ...conversationOptions(draft.conversation_id ?? ""),
    enabled: draft.conversation_id !== null,
  }).data;
  const undecided = useMemo(
    () =>
      (reply?.points ?? [])
        .filter(({ allegation, stance }) => allegation && stance === "")
        .map(({ key, number }) => ({ key, name: number === "" ? t("allegation") : t("paragraph", { number }) })),
    [reply, t],
  );
  const view = (
    <DraftView
      draft={draft}
      facts={about?.facts}
      level={1}
      undecided={undecided}
      replyBy={reply?.reply_by}
      onDecide={() => {
        if (conversation !== null) void navigate(noticeOf(conversation));
      }}
    />
  );
  return (
    <ForNotice days={daysOfNotice(about?.facts)}>
      {conversation === null ? view : <WithEvidence page={noticeOf(conversation)}>{view}</WithEvidence>}
    </ForNotice>
  );
}
