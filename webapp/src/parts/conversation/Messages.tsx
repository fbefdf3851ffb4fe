import { ChevronLeft, ChevronRight, RotateCcw, ScrollText } from "lucide-react";
import { Fragment, useState, type ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import {
  idempotencyKey,
  messageWordUrl,
  sentenceOf,
  type ConversationDetail,
  type Earlier,
  type Message,
  type RequiredDocument,
} from "@/lib/api";
import { EvidenceOf } from "@/parts/document";
import { Button } from "@/lib/ui/button";
import { useWorks } from "@/lib/works";
import { Answer, AnswerText, Failure } from "./Answer";
import { exchanges, type Exchange } from "./exchanges";
import { RequiredDocuments } from "./RequiredDocuments";
import { requiredSection } from "./requiredSection";
import type { ConversationView } from "./useConversation";
import { UserMessage } from "./UserMessage";

/** The props of what is shown below the answer to a document. */
export type BeneathParts = { conversation: string; message: Message };

type Props = {
  detail: ConversationDetail;
  conversation: ConversationView;
  /** Opens the upload for a required document; null if nothing can be uploaded. */
  onPick: ((type: string) => void) | null;
  /** Says whether the last question can be asked again, and the values of the plugin's inputs for an edited one. */
  asks: boolean;
  inputs: Record<string, string> | undefined;
  Beneath: ComponentType<BeneathParts> | undefined;
};

const none: RequiredDocument[] = [];

/** The messages so far, with the required documents below the answer that asked for them. */
export function Messages({ detail, conversation, onPick, asks, inputs, Beneath }: Props) {
  const { t } = useTranslation("conversation");
  const { turn, working, again, retry, close } = conversation;
  const documents = detail.documents ?? [];
  const required = detail.required_documents ?? [];
  // The version of each exchange that is shown: the latest, unless the person went back and none has been added since.
  const [picked, pick] = useState<Record<string, { at: number; of: number }>>({});
  const all = exchanges(conversation.messages);
  const at = ({ id, versions }: Exchange) => {
    const chosen = picked[id];
    return chosen?.of === versions.length ? chosen.at : versions.length - 1;
  };
  const shown = all.map((exchange) => exchange.versions[at(exchange)]?.messages ?? []);
  const messages = shown.flat();
  const asked = required.length === 0 ? undefined : askedIn(messages);
  const earlier = messages.findLast(({ provenance }) => provenance?.earlier)?.provenance?.earlier;
  const summarised = conversation.messages.find(({ turn_id: id }) => id === earlier?.through)?.exchange;

  const tryAgain = (turnId: string) => {
    retry.mutate(turnId, {
      onError: (error) => {
        toast.error(sentenceOf(error, t("retryFailed")));
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
  /** Returns the id of the supporting document that an answer is about, or null. */
  const handedIn = ({ turn_id: turnId }: Message): string | null => {
    const id = messages.find(({ role, turn_id }) => role === "user" && turn_id === turnId)?.document_id ?? null;
    return documents.find((document) => document.id === id)?.type === "" ? null : id;
  };
  const settled = turn !== null && !working ? turn : null;
  const failed = settled?.state === "failed" ? settled : null;
  const said = (turnId: string, state?: Message["state"]) =>
    conversation.messages.some(
      (message) =>
        message.role === "assistant" && message.turn_id === turnId && (state === undefined || message.state === state),
    );
  const stopped = settled?.state === "stopped" && !said(settled.id) ? settled : null;
  const silent = stopped ?? (failed !== null && !said(failed.id, "failed") ? failed : null);
  const open = useWorks() && asks && settled?.kind === "chat"; // the last question can be asked again

  return (
    <div role="log" aria-label={t("log")} className="space-y-8">
      {all.map((exchange, index) => {
        const last = index === all.length - 1;
        const mine = shown[index] ?? [];
        const question = mine.find(({ role }) => role === "user");
        const old = at(exchange) < exchange.versions.length - 1;
        const actions = (exchange.versions.length > 1 || (last && open)) && (
          <>
            {last && open && question !== undefined && said(question.turn_id) && !said(question.turn_id, "failed") && (
              <Button
                look="quiet"
                size="small"
                disabled={again.isPending}
                onClick={() => {
                  const { text, turn_id: replaces, inputs } = question;
                  again.mutate(
                    { text, inputs, replaces, key: idempotencyKey() },
                    {
                      onError: (error) => {
                        toast.error(sentenceOf(error, t("regenerateFailed")));
                      },
                    },
                  );
                }}
              >
                <RotateCcw aria-hidden />
                {t("regenerate")}
              </Button>
            )}
            {exchange.versions.length > 1 && (
              <Versions
                at={at(exchange)}
                of={exchange.versions.length}
                onPick={(next) => {
                  pick((before) => ({ ...before, [exchange.id]: { at: next, of: exchange.versions.length } }));
                }}
              />
            )}
          </>
        );
        const answered = mine.some(({ role, state }) => role === "assistant" && state !== "failed");
        return (
          <Fragment key={exchange.id}>
            {mine.map((message) => (
              <Fragment key={message.id}>
                {message.role === "user" ? (
                  <UserMessage
                    message={message}
                    document={documents.find((document) => document.id === message.document_id)}
                    onEdit={
                      last && open
                        ? (text, key) =>
                            again.mutateAsync({
                              text,
                              inputs: inputs ?? message.inputs,
                              replaces: message.turn_id,
                              key,
                            })
                        : undefined
                    }
                  />
                ) : message.state === "failed" ? (
                  <Failure
                    turn={message.turn_id === failed?.id ? failed : null}
                    text={message.text}
                    retrying={retry.isPending}
                    onRetry={tryAgain}
                  />
                ) : (
                  <EvidenceOf documentId={handedIn(message)}>
                    <Answer
                      message={message}
                      required={message.id === asked?.id ? required : none}
                      actions={actions || undefined}
                    />
                    {Beneath !== undefined && question?.document_id != null && (
                      <Beneath conversation={detail.id} message={message} />
                    )}
                  </EvidenceOf>
                )}
                {message.id === asked?.id && (
                  <RequiredDocuments
                    documents={required}
                    followUp={detail.follow_up}
                    word={messageWordUrl(detail.id, message.id)}
                    disabled={working || onPick === null}
                    onPick={onPick}
                    onClose={waitNoLonger}
                  />
                )}
              </Fragment>
            ))}
            {last && !old && silent !== null && (
              <Failure
                turn={silent}
                text={silent === stopped ? t("stoppedEarly") : ""}
                retrying={retry.isPending}
                onRetry={tryAgain}
              />
            )}
            {!answered && actions !== false && (
              <div className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">{actions}</div>
            )}
            {old && <p className="text-sm text-ink-soft">{t("versions.old")}</p>}
            {earlier !== undefined && exchange.id === summarised && <Summarised earlier={earlier} />}
          </Fragment>
        );
      })}
    </div>
  );
}

/** Buttons to move between the answers to a question that was asked more than once. */
function Versions({ at, of, onPick }: { at: number; of: number; onPick: (at: number) => void }) {
  const { t } = useTranslation("conversation");
  const step = (by: number, Icon: typeof ChevronLeft, label: string) => (
    <Button
      look="quiet"
      size="icon-small"
      aria-label={label}
      title={label}
      disabled={at + by < 0 || at + by >= of}
      onClick={() => {
        onPick(at + by);
      }}
    >
      <Icon aria-hidden />
    </Button>
  );
  return (
    <span className="flex items-center">
      {step(-1, ChevronLeft, t("versions.earlier"))}
      <span className="tabular-nums">{t("versions.at", { at: at + 1, count: of })}</span>
      {step(1, ChevronRight, t("versions.later"))}
    </span>
  );
}

/** Marks the end of the part of the conversation that the model gets as a summary, and shows the summary. */
function Summarised({ earlier }: { earlier: Earlier }) {
  const { t } = useTranslation("conversation");
  return (
    <details className="group border-y border-rule py-2 text-sm text-ink-soft">
      <summary className="flex min-h-6 cursor-pointer items-center gap-2 hover:text-ink">
        <ScrollText aria-hidden className="size-4 shrink-0" />
        {t("earlier.title", { count: earlier.messages })}
        <ChevronRight aria-hidden className="ml-auto size-4 shrink-0 transition-transform group-open:rotate-90" />
      </summary>
      <p className="mt-2">{t("earlier.why")}</p>
      <div className="mt-3 text-ink">
        <AnswerText text={earlier.text} />
      </div>
    </details>
  );
}

/**
 * Returns the answer below which the required documents are shown: the last one that lists them, or else the last
 * answer.
 */
function askedIn(messages: Message[]): Message | undefined {
  const answers = messages.filter(({ role, state }) => role === "assistant" && state !== "failed");
  return answers.findLast(({ text }) => requiredSection(text) !== null) ?? answers.at(-1);
}
