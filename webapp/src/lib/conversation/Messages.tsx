import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { sentenceOf, type ConversationDetail, type Message, type RequiredDocument } from "@/lib/api";
import { EvidenceOf } from "@/lib/document";
import { Answer, Failure } from "./Answer";
import { RequiredDocuments } from "./RequiredDocuments";
import { requiredSection } from "./requiredSection";
import type { ConversationView } from "./useConversation";
import { UserMessage } from "./UserMessage";

type Props = {
  detail: ConversationDetail;
  conversation: ConversationView;
  /** Opens the upload for a required document; null where none can be handed in. */
  onPick: ((type: string) => void) | null;
};

const none: RequiredDocument[] = [];

/** What was said so far, with the required documents under the answer that asked for them. */
export function Messages({ detail, conversation, onPick }: Props) {
  const { t } = useTranslation("conversation");
  const { messages, turn, working, retry, close } = conversation;
  const documents = detail.documents ?? [];
  const required = detail.required_documents ?? [];
  const asked = required.length === 0 ? undefined : askedIn(messages);

  const again = (turnId: string) => {
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
  /** The supporting document that an answer speaks of, or null. */
  const handedIn = ({ turn_id: turnId }: Message): string | null => {
    const id = messages.find(({ role, turn_id }) => role === "user" && turn_id === turnId)?.document_id ?? null;
    return documents.find((document) => document.id === id)?.type === "" ? null : id;
  };
  const failed = turn?.state === "failed" && !working ? turn : null;
  const answered = messages.some(({ role, turn_id: turnId }) => role === "assistant" && turnId === turn?.id);
  const stopped = turn?.state === "stopped" && !working && !answered ? turn : null;
  const apologised = messages.some(({ state, turn_id: turnId }) => state === "failed" && turnId === failed?.id);

  return (
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
            <EvidenceOf documentId={handedIn(message)}>
              <Answer message={message} required={message.id === asked?.id ? required : none} />
            </EvidenceOf>
          )}
          {message.id === asked?.id && (
            <RequiredDocuments
              documents={required}
              followUp={detail.follow_up}
              disabled={working || onPick === null}
              onPick={onPick}
              onClose={waitNoLonger}
            />
          )}
        </Fragment>
      ))}
      {failed !== null && !apologised && <Failure turn={failed} text="" retrying={retry.isPending} onRetry={again} />}
      {stopped !== null && <Failure turn={stopped} text={t("stoppedEarly")} retrying={retry.isPending} onRetry={again} />}
    </div>
  );
}

/** The answer that the required documents belong under: the last that lists them, else the last of all. */
function askedIn(messages: Message[]): Message | undefined {
  const answers = messages.filter(({ role, state }) => role === "assistant" && state !== "failed");
  return answers.findLast(({ text }) => requiredSection(text) !== null) ?? answers.at(-1);
}
