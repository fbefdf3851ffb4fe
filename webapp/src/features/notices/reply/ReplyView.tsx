import { Info, PenLine, RefreshCw, Square } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { ApiError, sentenceOf, type ConversationDetail, type Reply, type ReplyForm, type ReplyPoint } from "@/lib/api";
import { Failure, Steps, type ConversationView } from "@/parts/conversation";
import { DraftView, openOf } from "@/parts/draft";
import { useAnswersIn } from "@/lib/i18n";
import { citation, say } from "@/lib/message";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { WorkFields, Works } from "@/lib/works";
import { Interview } from "./Interview";
import { Matrix } from "./Matrix";
import { Missing } from "./Missing";
import { nameOf } from "./PointRow";
import { Sheet } from "./Sheet";
import { Taxpayer } from "./Taxpayer";
import { useReply } from "./useReply";

const OfflineOffer = lazy(async () => ({
  default: (await import("@/parts/conversation/OfflineOffer")).OfflineOffer,
}));

type ReplyViewProps = {
  detail: ConversationDetail;
  /** The date by which to reply. */
  deadline: ReactNode;
  view: ConversationView;
};

/** The reply to a notice: its form and deadline, the answer to each allegation, and the draft. */
export function ReplyView({ detail, deadline, view }: ReplyViewProps) {
  const { t } = useTranslation("reply");
  const { query, draft } = useReply(detail.id, view);
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div
      role="region"
      aria-label={t("title")}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
    >
      <div className="mx-auto w-full max-w-6xl px-4 pt-5 pb-16 sm:px-6">
        {query.data !== undefined ? (
          <Open detail={detail} deadline={deadline} view={view} reply={query.data} draft={draft} />
        ) : query.isPending ? (
          <div className="space-y-4" role="status" aria-label={t("loading")}>
            <Skeleton className="h-7 w-2/3" />
            <Skeleton />
            <Skeleton className="w-4/5" />
          </div>
        ) : query.error instanceof ApiError && query.error.status === 404 ? (
          <p className="text-ink-soft">{t("notYet")}</p>
        ) : (
          <div className="text-center">
            <p role="alert">{sentenceOf(query.error, t("failed"))}</p>
            <Button size="small" className="mt-2" onClick={() => void query.refetch()}>
              {t("again")}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

type OpenProps = ReplyViewProps & { reply: Reply; draft: ReturnType<typeof useReply>["draft"] };

const none: ReplyPoint[] = [];

function Open({ detail, deadline, view, reply, draft }: OpenProps) {
  const { t } = useTranslation("reply");
  const points = reply.points ?? none;
  // Findings of an order count as disputed unless they are admitted.
  const answered = reply.form.kind === "reply" ? points : none;
  const undecided = answered.filter(({ allegation, stance }) => allegation && stance === "");
  const [only, setOnly] = useState<ReadonlySet<string> | null>(null);
  const drafted = useRef<HTMLDivElement>(null);
  const { turn, working } = view;
  const { language: answers } = useAnswersIn();
  const drafting = working && turn?.kind === "reply";
  const ready = useReady(drafting, reply.draft !== null);

  /** Shows the paragraph in the table. */
  const decide = (key: string) => {
    setOnly((now) => (now === null || now.has(key) ? now : null));
    setTimeout(() => {
      const row = document.getElementById(`point-${key}`);
      row?.scrollIntoView({ block: "start" });
      row?.querySelector<HTMLInputElement>("input[type=radio]:checked")?.focus({ preventScroll: true });
    });
  };
  const begin = () => {
    draft.mutate(undefined, {
      onError: (error) => {
        toast.error(sentenceOf(error, t("draftFailed")));
      },
    });
  };

  if (!reply.form.drafted) {
    return (
      <>
        <Head form={reply.form} deadline={deadline} />
        <Instead form={reply.form} />
        {reply.draft !== null && (
          <div className="mt-8">
            <DraftView draft={reply.draft} facts={detail.facts} />
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <Head form={reply.form} deadline={deadline} />
        <Works>
          {/* Not disabled, since a disabled button would lose the focus. */}
          <Button
            look="primary"
            aria-disabled={working || draft.isPending}
            onClick={working || draft.isPending ? undefined : begin}
          >
            {draft.isPending ? (
              <Spinner className="text-current" />
            ) : reply.draft === null ? (
              <PenLine aria-hidden />
            ) : (
              <RefreshCw aria-hidden />
            )}
            {reply.draft !== null
              ? t("update")
              : reply.form.kind === "reply"
                ? t("draft")
                : t("draftAppeal", { form: term(reply.form.name) })}
          </Button>
        </Works>
      </div>
      {reply.form.kind !== "reply" && <Instead form={reply.form} />}
      <Progress
        undecided={undecided}
        total={answered.filter(({ allegation }) => allegation).length}
        reply={reply}
        onUndecided={() => {
          const [first] = undecided;
          if (first !== undefined) decide(first.key);
        }}
        onDraft={() => {
          drafted.current?.scrollIntoView({ block: "start" });
          drafted.current?.focus({ preventScroll: true });
        }}
      />
      <Missing missing={reply.missing ?? []} onDecide={decide} />
      {answers !== "en" && <p className="mt-2 text-sm text-ink-soft">{t("inEnglish")}</p>}
      <AtWork view={view} />
      <p role="status" className="sr-only">
        {ready && t("ready")}
      </p>
      <div className="mt-5">
        <WorkFields>
          {reply.taxpayer !== null && <Taxpayer conversation={detail.id} kept={reply.taxpayer} />}
          <Interview conversation={detail.id} />
        </WorkFields>
        {reply.draft !== null && <Sheet sheet={reply.sheet ?? []} />}
      </div>
      <div className="mt-6">
        <WorkFields>
          <Matrix
            conversation={detail.id}
            points={points}
            required={detail.required_documents ?? []}
            only={only}
            onOnly={(wanted) => {
              setOnly(wanted ? new Set(undecided.map(({ key }) => key)) : null);
            }}
          />
        </WorkFields>
      </div>
      {reply.draft !== null && (
        <div
          ref={drafted}
          tabIndex={-1}
          className="mx-auto mt-10 max-w-3xl scroll-mt-4 border-t-2 border-rule-strong pt-5 outline-none"
        >
          <DraftView
            draft={reply.draft}
            facts={detail.facts}
            undecided={undecided.map((point) => ({ key: point.key, name: nameOf(point, t) }))}
            replyBy={reply.reply_by}
            onDecide={decide}
          />
        </div>
      )}
    </>
  );
}

/** Returns whether the draft has just become ready, to announce it once. */
function useReady(drafting: boolean, there: boolean): boolean {
  const [ready, setReady] = useState(false);
  const before = useRef(drafting);
  useEffect(() => {
    if (before.current !== drafting) setReady(before.current && there);
    before.current = drafting;
  }, [drafting, there]);
  return ready;
}

/** What to do if a reply is not the answer. */
function Instead({ form }: { form: ReplyForm }) {
  return (
    <p className="mt-4 flex gap-3 rounded-xl border border-rule bg-sheet p-4">
      <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      {say(form.sentence)}
    </p>
  );
}

/** How the notice is answered: under which provision, and by when. */
function Head({ form, deadline }: { form: ReplyForm; deadline: ReactNode }) {
  const { t } = useTranslation("reply");
  return (
    <div className="min-w-0 flex-1 basis-72">
      <h1 className="font-serif text-xl leading-7 font-semibold text-balance">{say(form.title) || t("title")}</h1>
      {(form.name !== "" || form.provision !== "") && (
        <p className="text-[0.9375rem] text-ink-soft">
          {[term(form.name), citation(form.provision)].filter((part) => part !== "").join(" · ")}
        </p>
      )}
      {form.kind === "reply" && deadline !== null && <div>{deadline}</div>}
    </div>
  );
}

type ProgressProps = {
  undecided: ReplyPoint[];
  total: number;
  reply: Reply;
  onUndecided: () => void;
  onDraft: () => void;
};

/** What is still open, with buttons to go there. */
function Progress({ undecided, total, reply, onUndecided, onDraft }: ProgressProps) {
  const { t } = useTranslation("reply");
  const open = reply.draft === null ? null : openOf(reply.draft);
  return (
    <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-[0.9375rem]">
      {undecided.length > 0 ? (
        <Button look="link" size="bare" className="text-due" onClick={onUndecided}>
          {t("undecidedOf", { count: undecided.length, total })}
        </Button>
      ) : (
        total > 0 && <span className="text-safe">{t("allDecided")}</span>
      )}
      {open === null ? (
        <span className="text-ink-soft">{t("noDraft")}</span>
      ) : (
        <Button look="link" size="bare" onClick={onDraft}>
          {open.blanks === 0 ? t("toDraft") : t("toDraftBlanks", { count: open.blanks })}
        </Button>
      )}
    </p>
  );
}

/** The progress of drafting, or how it ended if it failed. */
function AtWork({ view }: { view: ConversationView }) {
  const { t } = useTranslation(["reply", "conversation"]);
  const { turn, working, stop, retry } = view;
  const block = useRef<HTMLDivElement>(null);
  if (turn === null) return null;
  if (working && turn.kind !== "reply") return <p className="mt-3 text-sm text-ink-soft">{t("otherTurn")}</p>;
  if (turn.kind !== "reply") return null;
  if (working) {
    return (
      <div
        ref={block}
        tabIndex={-1}
        data-testid="drafting"
        aria-busy
        className="mt-4 rounded-xl border border-rule bg-sheet p-4 outline-none"
      >
        <Steps turn={turn} />
        <Suspense>
          <OfflineOffer turn={turn} onTaken={() => block.current?.focus()} />
        </Suspense>
        <Button
          size="small"
          className="mt-3"
          disabled={stop.isPending}
          title={t("conversation:stopHint")}
          onClick={() => {
            stop.mutate(turn.id, {
              onError: (error) => {
                toast.error(sentenceOf(error, t("conversation:stopFailed")));
              },
            });
          }}
        >
          <Square aria-hidden className="fill-current" />
          {t("conversation:stop")}
        </Button>
      </div>
    );
  }
  if (turn.state === "stopped")
    return <p className="mt-3 border-l-2 border-due pl-3 text-[0.9375rem]">{t("stopped")}</p>;
  if (turn.state !== "failed") return null;
  return (
    <div className="mt-4">
      <Failure
        turn={turn}
        text=""
        retrying={retry.isPending}
        onRetry={(id) => {
          retry.mutate(id, {
            onError: (error) => {
              toast.error(sentenceOf(error, t("conversation:retryFailed")));
            },
          });
        }}
      />
    </div>
  );
}
