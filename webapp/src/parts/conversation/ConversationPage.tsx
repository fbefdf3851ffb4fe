import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, FileText, Paperclip, PenLine, Plus, Square, WifiOff } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import {
  ApiError,
  documentUrl,
  meOptions,
  publicConfigOptions,
  sentenceOf,
  wantIn,
  type ConversationDetail,
  type Document,
} from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";
import { Composer } from "./Composer";
import { LiveTurn } from "./LiveTurn";
import { Messages, type BeneathParts } from "./Messages";
import { PickDocument } from "./pick";
import { Thread } from "./Thread";
import { TitleForm } from "./TitleForm";
import { UploadArea } from "./UploadArea";
import { useConversation, type ConversationView } from "./useConversation";
import { useProblem } from "./useProblem";
import { useUpload } from "./useUpload";
import { useUploadEach } from "./useUploadEach";
import type { Words } from "./words";

const OfflineOffer = lazy(async () => ({ default: (await import("./OfflineOffer")).OfflineOffer }));

/** What differs between the conversations of different plugins. */
export type ConversationParts = {
  /** The path of the plugin's tab. */
  home: string;
  words: Words;
  /** True if documents can be uploaded, questions asked, and files of figures compared. */
  takes: { documents: boolean; questions: boolean; figures?: boolean };
  /** Shown above the field for questions, with the values for the plugin's inputs. */
  choices?: { field: ReactNode; inputs: Record<string, string>; placeholder: string | null } | undefined;
  /** True if the person can name its conversations. */
  named?: boolean;
  /** The component for supplying authorities; left out if that is done elsewhere, or not at all. */
  Authorities?: ComponentType<{ conversationId: string }> | undefined;
  /** Places the conversation among the other parts of its screen; left out if there are none. */
  Frame?: ComponentType<FrameParts> | undefined;
  /** Actions below the answer to a document. */
  Beneath?: ComponentType<BeneathParts> | undefined;
};

/** The props of a frame. */
export type FrameParts = {
  detail: ConversationDetail;
  /** The document that the conversation is about, the latest if there were several; null if there is none yet. */
  subject: Document | null;
  conversation: ReactNode;
  /** The state of the conversation, and what can be done with it. */
  view: ConversationView;
};

/**
 * A conversation: its messages, the answer being written, the papers that are still needed, and the field for
 * questions.
 */
export function ConversationPage({ id, ...parts }: ConversationParts & { id: string }) {
  const { t } = useTranslation("conversation");
  const conversation = useConversation(id);
  const config = useQuery(publicConfigOptions()).data;
  const me = useQuery(meOptions()).data;
  const { query } = conversation;
  const { words, home } = parts;
  usePageTitle(query.data?.title ?? "", words.title, config?.product_name ?? "");

  if (query.data !== undefined) return <Open {...parts} id={id} detail={query.data} conversation={conversation} />;
  if (query.isPending) return <Loading label={words.loading} />;
  const missing = query.error instanceof ApiError && (query.error.status === 404 || query.error.status === 422);
  if (missing && me?.signed_in === false)
    return (
      <div className="m-auto max-w-md p-6 text-center">
        <h1 className="font-serif text-2xl font-semibold">{words.missing}</h1>
        <p className="mt-2 text-ink-soft">{t(home === "/app/notices" ? "signedOut.notice" : "signedOut.other")}</p>
        <Button look="primary" className="mt-5" onClick={wantIn}>
          {t("signedOut.signIn")}
        </Button>
      </div>
    );
  return (
    <div className="m-auto max-w-md p-6 text-center">
      <h1 className="font-serif text-2xl font-semibold">{missing ? words.missing : words.failed}</h1>
      <p className="mt-2 text-ink-soft">{missing ? t("missingHint") : sentenceOf(query.error, t("failedHint"))}</p>
      {missing ? (
        <Button look="primary" className="mt-5" asChild>
          <Link to={home}>{words.list}</Link>
        </Button>
      ) : (
        <Button look="primary" className="mt-5" onClick={() => void query.refetch()}>
          {t("list.again")}
        </Button>
      )}
    </div>
  );
}

type OpenProps = ConversationParts & { id: string; detail: ConversationDetail; conversation: ConversationView };

function Open({
  id,
  home,
  words,
  takes,
  choices,
  named = false,
  Authorities,
  Frame,
  Beneath,
  detail,
  conversation,
}: OpenProps) {
  const { t } = useTranslation("conversation");
  const { messages, turn, working, live, send, stop, accept } = conversation;
  const problem = useProblem(send.error, t("sendFailed"));
  const toBox = useRef<() => void>(null);
  const config = useQuery(publicConfigOptions()).data;
  const sending = useUpload(
    () => Promise.resolve(id),
    (_, accepted) => accept(accepted),
  );
  const subject = (detail.documents ?? []).findLast(({ type }) => type === "") ?? null; // the latest one counts
  const asked = new Set((detail.required_documents ?? []).map(({ name }) => name));
  const types = subject === null && words.again !== null ? [] : [t("upload.supporting"), ...asked];
  const others = useUploadEach(detail.plugin);
  // Of several papers, the first is for this conversation; each of the others starts its own.
  const beginEach = ([first, ...rest]: File[][]) => {
    if (first !== undefined) sending.upload.mutate({ files: first, type: "" });
    others.add(rest);
  };

  const halt = () => {
    if (!working || turn === null || stop.isPending) return;
    stop.mutate(turn.id, {
      onError: (error) => {
        toast.error(sentenceOf(error, t("stopFailed")));
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

  const content = (openDialog: (type: string) => void) => (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      {takes.questions && (
        // Each provision and mark of an answer is a stop of the Tab key, and the field comes after all of them.
        <Button
          look="primary"
          className="absolute top-2 left-2 z-10 not-focus:sr-only"
          onClick={() => toBox.current?.()}
        >
          {t("toQuestion")}
        </Button>
      )}
      <Thread mine={messages.filter(({ role }) => role === "user").length} writing={working}>
        <div className="on-paper mx-auto w-full max-w-3xl px-4 pt-5 pb-8 sm:px-6">
          <Head
            id={id}
            title={detail.title}
            named={named}
            subject={subject?.id ?? null}
            home={home}
            words={words}
            Authorities={Authorities}
          />
          <Messages
            detail={detail}
            conversation={conversation}
            onPick={takes.documents ? openDialog : null}
            asks={takes.questions}
            inputs={choices?.inputs}
            Beneath={Beneath}
          />
          {turn !== null && working && (
            <div className={messages.length > 0 ? "mt-8" : undefined}>
              <LiveTurn turn={turn} live={live} processing={words.processing} />
              {config?.model.offline === false && (
                <Suspense>
                  <OfflineOffer turn={turn} written={live.text.length} onTaken={() => toBox.current?.()} />
                </Suspense>
              )}
            </div>
          )}
        </div>
      </Thread>
      <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-6">
        {live.link === "lost" && (
          <p role="status" className="mb-2 flex items-center gap-2 px-1 text-sm text-due">
            <WifiOff aria-hidden className="size-4" />
            {t("connectionLost")}
          </p>
        )}
        {takes.questions ? (
          <>
            {choices?.field}
            <Composer
              key={id}
              draftKey={id}
              placeholder={choices?.placeholder ?? words.placeholder}
              busy={working}
              sending={send.isPending}
              onSend={(text, key) => send.mutateAsync({ text, key, inputs: choices?.inputs })}
              onStop={halt}
              error={problem}
              toBox={toBox}
              before={
                takes.documents && (
                  <UploadButton
                    disabled={working}
                    onClick={() => {
                      openDialog(types[0] ?? "");
                    }}
                  />
                )
              }
            />
          </>
        ) : (
          working && (
            <Button size="small" title={t("stopHint")} className="mx-auto flex" onClick={halt}>
              <Square aria-hidden className="fill-current" />
              {t("stop")}
            </Button>
          )
        )}
        {words.note !== "" && <p className="mt-2 text-center text-sm text-ink-soft short:hidden">{words.note}</p>}
      </div>
    </div>
  );

  return (
    <UploadArea
      sending={sending}
      config={config}
      types={types}
      words={words}
      disabled={working || !takes.documents}
      figures={takes.figures === true && subject !== null ? `${home}/${id}/figures` : null}
      onSeveral={types.length === 0 ? beginEach : undefined}
    >
      {(openDialog) => (
        <PickDocument value={takes.documents && !working ? openDialog : null}>
          <div className="flex min-h-0 flex-1">
            {Frame === undefined ? (
              content(openDialog)
            ) : (
              <Frame detail={detail} subject={subject} conversation={content(openDialog)} view={conversation} />
            )}
          </div>
        </PickDocument>
      )}
    </UploadArea>
  );
}

/** The upload button left of the message field, as in the specification. */
export function UploadButton({ onClick, disabled = false }: { onClick: () => void; disabled?: boolean }) {
  const { t } = useTranslation("conversation");
  return (
    <Button
      look="quiet"
      size="icon"
      title={t("upload.document")}
      aria-label={t("upload.document")}
      onClick={onClick}
      disabled={disabled}
    >
      <Paperclip aria-hidden />
    </Button>
  );
}

type HeadProps = Pick<ConversationParts, "Authorities" | "home" | "words"> & {
  id: string;
  title: string;
  named: boolean;
  subject: string | null;
};

function Head({ id, title, named, subject, home, words, Authorities }: HeadProps) {
  const { t } = useTranslation("conversation");
  const [naming, setNaming] = useState(false);
  const pen = useRef<HTMLButtonElement>(null);
  return (
    <header className="mb-6 border-b border-rule pb-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <Link
          to={home}
          className="-ml-1 flex min-h-9 items-center gap-1 rounded text-sm text-ink-soft hover:text-ink print:hidden"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {words.list}
        </Link>
        <div className="-mr-3 ml-auto flex">
          {Authorities !== undefined && <Authorities conversationId={id} />}
          {subject !== null && (
            <Button look="quiet" size="small" asChild>
              <a href={documentUrl(subject)} target="_blank" rel="noopener">
                <FileText aria-hidden />
                {words.open}
              </a>
            </Button>
          )}
          {words.fresh !== null && (
            <Button look="quiet" size="small" asChild>
              <Link to={home}>
                <Plus aria-hidden />
                {words.fresh}
              </Link>
            </Button>
          )}
        </div>
      </div>
      {naming ? (
        <div className="mt-1 flex">
          <TitleForm
            id={id}
            title={title}
            onDone={() => {
              setNaming(false);
              requestAnimationFrame(() => pen.current?.focus());
            }}
          />
        </div>
      ) : (
        <div className="mt-1 flex items-start justify-between gap-2">
          <h1 className="min-w-0 font-serif text-xl leading-7 font-semibold text-balance break-words">
            {title || words.untitled}
          </h1>
          {named && title !== "" && (
            <Button
              ref={pen}
              look="quiet"
              size="icon-small"
              className="-mt-1 -mr-2"
              title={t("rename")}
              aria-label={t("rename")}
              onClick={() => {
                setNaming(true);
              }}
            >
              <PenLine aria-hidden />
            </Button>
          )}
        </div>
      )}
    </header>
  );
}

function Loading({ label }: { label: string }) {
  return (
    <div className="mx-auto w-full max-w-3xl space-y-4 px-4 pt-8 sm:px-6">
      <p role="status" className="sr-only">
        {label}
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
