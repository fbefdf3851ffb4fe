import { useQuery } from "@tanstack/react-query";
import { Check, Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { draftVersionOptions, sentenceOf, type Draft } from "@/lib/api";
import { ago, moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Changes } from "@/lib/ui/Changes";
import { Spinner } from "@/lib/ui/spinner";
import { useReview } from "./useDraftActs";

/** In a firm: the state of a draft's review, the reviewer's changes, and what the reader may do. */
export function Review({ draft }: { draft: Draft }) {
  const { t } = useTranslation("draft");
  const review = useReview(draft);
  const acts = draft.acts ?? [];
  if (draft.review === null && acts.length === 0) return null;
  return (
    <section aria-label={t("review.title")} className="mt-2 print:hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Standing draft={draft} />
        {acts.map((act) => (
          <Button
            key={act}
            size="small"
            disabled={review.isPending}
            onClick={() => {
              review.mutate(act, {
                onError: (error) => {
                  toast.error(sentenceOf(error, t("review.failed")));
                },
              });
            }}
          >
            {review.isPending && review.variables === act && <Spinner className="size-4" />}
            {t(`review.${act}`)}
          </Button>
        ))}
      </div>
      <Since draft={draft} />
    </section>
  );
}

function Standing({ draft: { review, locked } }: { draft: Draft }) {
  const { t } = useTranslation("draft");
  if (review === null) return <p className="text-sm text-ink-soft">{t("review.none")}</p>;
  const at = review.decided_at ?? review.sent_at;
  const name = (review.state === "review" ? review.sent : review.decided)?.name ?? "";
  return (
    <p className="flex items-baseline gap-1.5 text-[0.9375rem]">
      {review.state === "approved" && <Check aria-hidden className="size-4 shrink-0 self-center text-safe" />}
      {locked && <Lock aria-hidden className="size-4 shrink-0 self-center text-ink-soft" />}
      <span>
        {t(`review.states.${review.state}`, { name })}{" "}
        <time dateTime={at} title={moment(at)} className="text-ink-soft">
          {review.state === "approved" || review.state === "undone" ? moment(at) : ago(at)}
        </time>
        {locked && <span className="block text-sm text-ink-soft">{t("review.locked")}</span>}
      </span>
    </p>
  );
}

/** Shows what has changed since the draft was sent or approved. */
function Since({ draft }: { draft: Draft }) {
  const { t } = useTranslation("draft");
  const { review } = draft;
  const from =
    review === null ? draft.version : ((review.state === "undone" ? review.approved : null) ?? review.version);
  const changed = from < draft.version;
  const { data } = useQuery({ ...draftVersionOptions(draft.id, from, draft.updated_at), enabled: changed });
  if (!changed || data === undefined || data.changes === "") return null;
  return (
    <details className="mt-2" open={review?.state === "review" || review?.state === "returned"}>
      <summary className="cursor-pointer text-[0.9375rem] text-accent underline-offset-4 hover:underline">
        {t(review?.state === "undone" ? "review.sinceApproved" : "review.since", { version: from })}
      </summary>
      <Changes
        diff={data.changes}
        label={t("versions.changes")}
        words={{ added: t("versions.added"), removed: t("versions.removed") }}
        gap="…"
        className="mt-2 max-h-80 font-serif text-[0.9375rem]"
      />
    </details>
  );
}
