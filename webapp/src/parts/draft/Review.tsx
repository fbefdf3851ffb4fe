import { useQuery } from "@tanstack/react-query";
import { Check, Lock } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { draftVersionOptions, sentenceOf, type Draft } from "@/lib/api";
import { ago, moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Changes } from "@/lib/ui/Changes";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Form } from "@/lib/ui/form";
import { Spinner } from "@/lib/ui/spinner";
import { openOf } from "./text";
import { useReview, type Act } from "./useDraftActs";

/** In a firm: the state of a draft's review, the reviewer's changes, and what the reader may do. */
export function Review({ draft }: { draft: Draft }) {
  const { t } = useTranslation("draft");
  const review = useReview(draft);
  const acts = draft.acts ?? [];
  // The question that is open: why the draft is returned, or whether to approve it although blanks are left.
  const [asked, ask] = useState<"return" | "approve" | null>(null);
  if (draft.review === null && acts.length === 0) return null;
  const { blanks } = openOf(draft);
  const act = (name: Act, reason = "", onSuccess?: () => void) => {
    review.mutate(
      { act: name, reason },
      {
        onSuccess,
        onError: (error) => {
          toast.error(sentenceOf(error, t("review.failed")));
        },
      },
    );
  };
  const close = () => {
    ask(null);
  };
  return (
    <section aria-label={t("review.title")} className="mt-2 print:hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Standing draft={draft} />
        {acts.map((name) => (
          <Button
            key={name}
            size="small"
            disabled={review.isPending}
            onClick={() => {
              if (name === "return" || (name === "approve" && blanks > 0)) ask(name);
              else act(name);
            }}
          >
            {review.isPending && review.variables.act === name && <Spinner className="size-4" />}
            {t(`review.${name}`)}
          </Button>
        ))}
      </div>
      <Since draft={draft} />
      <Dialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (!open) close();
        }}
      >
        {asked === "return" && (
          <DialogContent title={t("review.return")} closeLabel={t("close")} holds className="max-w-md">
            <Why
              pending={review.isPending}
              onReturn={(reason) => {
                act("return", reason, close);
              }}
            />
          </DialogContent>
        )}
        {asked === "approve" && (
          <DialogContent title={t("review.approve")} closeLabel={t("close")} className="max-w-md">
            <p className="mt-2 text-[0.9375rem]">{t("review.blanks", { count: blanks })}</p>
            <div className="mt-4 flex flex-wrap gap-2">
              <Button look="primary" onClick={close}>
                {t("review.back")}
              </Button>
              <Button
                disabled={review.isPending}
                onClick={() => {
                  act("approve", "", close);
                }}
              >
                {review.isPending && <Spinner className="size-4" />}
                {t("review.approveAnyway")}
              </Button>
            </div>
          </DialogContent>
        )}
      </Dialog>
    </section>
  );
}

/** Asks for the reason for which the draft is returned; its preparer will read it. */
function Why({ pending, onReturn }: { pending: boolean; onReturn: (reason: string) => void }) {
  const { t } = useTranslation("draft");
  const [reason, setReason] = useState("");
  return (
    <Form
      onSubmit={() => {
        onReturn(reason.trim());
      }}
      error={null}
      pending={pending}
      disabled={reason.trim() === ""}
      button={t("review.returnNow")}
    >
      <label data-first className="block">
        <span className="font-medium">{t("review.why")}</span>
        <textarea
          value={reason}
          rows={4}
          maxLength={2000}
          className="mt-1.5 block w-full rounded-lg border border-rule-strong/60 bg-sheet px-3 py-2"
          onChange={(event) => {
            setReason(event.target.value);
          }}
        />
      </label>
    </Form>
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
        {review.state === "returned" && review.reason !== "" && (
          <q className="block break-words whitespace-pre-line">{review.reason}</q>
        )}
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
