import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronLeft, FileText, Plus, WifiOff } from "lucide-react";
import { Fragment, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { toast } from "sonner";
import { ApiError, documentUrl, publicConfigOptions, sentenceOf, type ConversationDetail, type Message } from "@/lib/api";
import { Answer, Composer, Failure, LiveTurn, Thread, useConversation, type ConversationView } from "@/lib/conversation";
import { day } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { useMedia } from "@/lib/ui/media";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";
import { readFacts, type Facts } from "./facts";
import { DaysLeft, FactsCard } from "./FactsCard";
import { UploadButton } from "./NoticesPage";
import { RequiredDocuments } from "./RequiredDocuments";
import { requiredSection, withoutList } from "./requiredSection";
import { UploadArea } from "./UploadArea";
import { UserMessage } from "./UserMessage";
import { useUpload } from "./useUpload";

/** One notice: its conversation, what the program is sure of, and the papers that are still needed. */
export function NoticePage() {
  const { id = "" } = useParams();
  return <Notice key={id} id={id} />;
}

function Notice({ id }: { id: string }) {
  const { t } = useTranslation("notices");
  const conversation = useConversation(id);
  const config = useQuery(publicConfigOptions()).data;
  const { query } = conversation;
  usePageTitle(query.data?.title ?? "", t("title"), config?.product_name ?? "");

  if (query.data !== undefined) return <Open id={id} detail={query.data} conversation={conversation} />;
  if (query.isPending) return <Loading />;
  const missing = query.error instanceof ApiError && (query.error.status === 404 || query.error.status === 422);
  return (
    <div className="m-auto max-w-md p-6 text-center">
      <h1 className="font-serif text-2xl font-semibold">{missing ? t("missing.heading") : t("failed.heading")}</h1>
      <p className="mt-2 text-ink-soft">{missing ? t("missing.hint") : sentenceOf(query.error, t("failed.hint"))}</p>
      {missing ? (
        <Button look="primary" className="mt-5" asChild>
          <Link to="/app/notices">{t("list.title")}</Link>
        </Button>
      ) : (
        <Button look="primary" className="mt-5" onClick={() => void query.refetch()}>
          {t("list.again")}
        </Button>
      )}
    </div>
  );
}

type OpenProps = { id: string; detail: ConversationDetail; conversation: ConversationView };

function Open({ id, detail, conversation }: OpenProps) {
  const { t } = useTranslation(["notices", "conversation"]);
  const { messages, turn, working, live, send, stop, accept } = conversation;
  const config = useQuery(publicConfigOptions()).data;
  const wide = useMedia("(min-width: 80rem)");
  const sending = useUpload(
    () => Promise.resolve(id),
    (_, accepted) => accept(accepted),
  );

  const documents = detail.documents ?? [];
  const required = detail.required_documents ?? [];
  const notice = documents.findLast(({ type }) => type === ""); // the facts are of the latest one
  const facts = readFacts(detail.facts);
  const types = notice === undefined ? [] : [t("upload.supporting"), ...new Set(required.map(({ type }) => type))];

  const halt = () => {
    if (!working || turn === null || stop.isPending) return;
    stop.mutate(turn.id, {
      onError: (error) => {
        toast.error(sentenceOf(error, t("conversation:stopFailed")));
      },
    });
  };
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    const elsewhere = event.defaultPrevented || event.isComposing || document.querySelector('[role="dialog"]') !== null;
    if (event.key === "Escape" && !elsewhere) halt();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      onEscape(event);
    };
    window.addEventListener("keydown", listener);
    return () => {
      window.removeEventListener("keydown", listener);
    };
  }, []);

  return (
    <UploadArea sending={sending} config={config} types={types} disabled={working}>
      {(openDialog) => (
        <div className="flex min-h-0 flex-1">
          <div className="flex min-w-0 flex-1 flex-col">
            <Thread mine={messages.filter(({ role }) => role === "user").length}>
              <div className="mx-auto w-full max-w-3xl px-4 pt-5 pb-8 sm:px-6">
                <Head title={detail.title} noticeId={notice?.id ?? null} />
                {facts !== null && !wide && <FoldedFacts facts={facts} documentId={notice?.id ?? null} />}
                <Messages
                  detail={detail}
                  conversation={conversation}
                  onPick={(type) => {
                    openDialog(type);
                  }}
                />
                {turn !== null && working && (
                  <div className={messages.length > 0 ? "mt-8" : undefined}>
                    <LiveTurn turn={turn} live={live} />
                  </div>
                )}
              </div>
            </Thread>
            <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-6">
              {live.link === "lost" && (
                <p role="status" className="mb-2 flex items-center gap-2 px-1 text-sm text-due">
                  <WifiOff aria-hidden className="size-4" />
                  {t("conversation:connectionLost")}
                </p>
              )}
              <Composer
                key={id}
                draftKey={id}
                placeholder={t("placeholder")}
                busy={working}
                sending={send.isPending}
                onSend={(text, key) => send.mutateAsync({ text, key })}
                onStop={halt}
                error={send.error === null ? null : sentenceOf(send.error, t("conversation:sendFailed"))}
                before={
                  <UploadButton
                    disabled={working}
                    onClick={() => {
                      openDialog(types[0] ?? "");
                    }}
                  />
                }
              />
              <p className="mt-2 text-center text-sm text-ink-soft short:hidden">{t("review")}</p>
            </div>
          </div>
          {facts !== null && wide && (
            <aside aria-labelledby="facts" className="w-[22rem] shrink-0 overflow-y-auto border-l border-rule px-6 py-6">
              <h2 id="facts" className="mb-4 text-sm font-medium text-ink-soft">
                {t("facts.title")}
              </h2>
              <FactsCard facts={facts} documentId={notice?.id ?? null} />
            </aside>
          )}
        </div>
      )}
    </UploadArea>
  );
}

type MessagesProps = { detail: ConversationDetail; conversation: ConversationView; onPick: (type: string) => void };

function Messages({ detail, conversation, onPick }: MessagesProps) {
  const { t } = useTranslation(["notices", "conversation"]);
  const { messages, turn, working, retry, close } = conversation;
  const documents = detail.documents ?? [];
  const required = detail.required_documents ?? [];
  const asked = required.length === 0 ? undefined : askedIn(messages);

  const again = (turnId: string) => {
    retry.mutate(turnId, {
      onError: (error) => {
        toast.error(sentenceOf(error, t("conversation:retryFailed")));
      },
    });
  };
  const waitNoLonger = () => {
    close.mutate(undefined, {
      onSuccess: () => {
        toast.success(t("required.closed"));
      },
      onError: (error) => {
        toast.error(sentenceOf(error, t("required.closeFailed")));
      },
    });
  };
  const failed = turn?.state === "failed" && !working ? turn : null;
  const answered = messages.some(({ role, turn_id: turnId }) => role === "assistant" && turnId === turn?.id);
  const stopped = turn?.state === "stopped" && !working && !answered ? turn : null;
  const apologised = messages.some(({ state, turn_id: turnId }) => state === "failed" && turnId === failed?.id);

  return (
    <>
      <div role="log" aria-label={t("log")} className="space-y-8">
        {messages.map((message) => (
          <Fragment key={message.id}>
            {message.role === "user" ? (
              <UserMessage message={message} document={documents.find((document) => document.id === message.document_id)} />
            ) : message.state === "failed" ? (
              <Failure
                turn={message.turn_id === failed?.id ? failed : null}
                text={message.text}
                retrying={retry.isPending}
                onRetry={again}
              />
            ) : (
              <Answer message={message} text={message.id === asked?.id ? withoutList(message.text, required) : message.text} />
            )}
            {message.id === asked?.id && (
              <RequiredDocuments
                documents={required}
                followUp={detail.follow_up}
                disabled={working}
                onPick={onPick}
                onClose={waitNoLonger}
              />
            )}
          </Fragment>
        ))}
        {failed !== null && !apologised && <Failure turn={failed} text="" retrying={retry.isPending} onRetry={again} />}
        {stopped !== null && <Failure turn={stopped} text={t("conversation:stoppedEarly")} retrying={retry.isPending} onRetry={again} />}
      </div>
    </>
  );
}

/** The answer that the required documents belong under: the last that lists them, else the last of all. */
function askedIn(messages: Message[]): Message | undefined {
  const answers = messages.filter(({ role, state }) => role === "assistant" && state !== "failed");
  return answers.findLast(({ text }) => requiredSection(text) !== null) ?? answers.at(-1);
}

function Head({ title, noticeId }: { title: string; noticeId: string | null }) {
  const { t } = useTranslation("notices");
  return (
    <header className="mb-6 border-b border-rule pb-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <Link to="/app/notices" className="-ml-1 flex min-h-9 items-center gap-1 rounded text-sm text-ink-soft hover:text-ink">
          <ChevronLeft aria-hidden className="size-4" />
          {t("list.title")}
        </Link>
        <div className="-mr-3 ml-auto flex">
          {noticeId !== null && (
            <Button look="quiet" size="small" asChild>
              <a href={documentUrl(noticeId)} target="_blank" rel="noopener">
                <FileText aria-hidden />
                {t("openNotice")}
              </a>
            </Button>
          )}
          <Button look="quiet" size="small" asChild>
            <Link to="/app/notices">
              <Plus aria-hidden />
              {t("list.new")}
            </Link>
          </Button>
        </div>
      </div>
      <h1 className="mt-1 font-serif text-xl leading-7 font-semibold text-balance">{title || t("list.untitled")}</h1>
    </header>
  );
}

function FoldedFacts({ facts, documentId }: { facts: Facts; documentId: string | null }) {
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

function Loading() {
  const { t } = useTranslation("notices");
  return (
    <div className="mx-auto w-full max-w-3xl space-y-4 px-4 pt-8 sm:px-6">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <Skeleton className="w-40" />
      <Skeleton className="h-7 w-2/3" />
      <Skeleton className="ml-auto h-16 w-1/2 rounded-2xl" />
      <Skeleton />
      <Skeleton />
      <Skeleton className="w-4/5" />
    </div>
  );
}
