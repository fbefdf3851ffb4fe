import { ArrowUp, Square } from "lucide-react";
import {
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "@tanstack/react-query";
import { idempotencyKey, meOptions } from "@/lib/api";
import { may } from "@/lib/may";
import { Button } from "@/lib/ui/button";
import { composing } from "@/lib/ui/keys";
import { useDraft } from "./draft";

type Props = {
  /** The key of the draft, which survives a reload; use it also as the composer's React key. */
  draftKey: string;
  placeholder: string;
  /** A reply is being written: nothing can be sent, but the reply can be stopped. */
  busy: boolean;
  /** A message is being sent. */
  sending: boolean;
  /** Rejects if the message was refused; the text is then restored. */
  onSend: (text: string, key: string) => Promise<unknown>;
  onStop?: () => void;
  error: string | null;
  /** Is set to a function that focuses the field. */
  toBox?: RefObject<(() => void) | null>;
  /** Shown left of the text, such as the upload button. */
  before?: ReactNode;
};

/**
 * The field at the bottom of a conversation. Enter sends, Shift+Enter starts a new line; the field grows with its text.
 */
export function Composer({ draftKey, placeholder, busy, sending, onSend, onStop, error, toBox, before }: Props) {
  const { t } = useTranslation("conversation");
  const [text, setText] = useDraft(draftKey);
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(toBox, () => () => box.current?.focus(), []);
  const attempt = useRef<{ text: string; key: string } | null>(null);
  const trimmed = text.trim();
  const works = may(useQuery(meOptions()).data, "work");
  const closed = busy || sending || trimmed === "";

  useLayoutEffect(() => {
    const area = box.current;
    if (area === null) return;
    area.style.height = "auto";
    area.style.height = `${String(area.scrollHeight)}px`;
  }, [text]);

  const submit = async () => {
    if (closed) return;
    // Sending the same text again, after an answer was lost, must not create a second message.
    if (attempt.current?.text !== trimmed) attempt.current = { text: trimmed, key: idempotencyKey() };
    try {
      await onSend(trimmed, attempt.current.key);
      attempt.current = null;
      setText("");
    } catch {
      // The text stays in the field; the parent shows the error.
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || composing(event)) return;
    event.preventDefault();
    void submit();
  };

  const halt = (event: MouseEvent) => {
    // The button disappears with the turn, so keyboard focus moves to the field; but not after a tap, which would open
    // the on-screen keyboard.
    if (event.detail === 0) box.current?.focus();
    onStop?.();
  };

  if (!works) return null; // the person may only read
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {error !== null && (
        <p role="alert" className="mb-2 px-1 text-sm text-overdue">
          {error}
        </p>
      )}
      <div className="flex items-end gap-1 rounded-2xl border border-rule-strong/70 bg-sheet p-1.5 shadow-lift transition-colors focus-within:border-accent">
        {before}
        <textarea
          ref={box}
          rows={1}
          value={text}
          readOnly={sending}
          placeholder={placeholder}
          aria-label={placeholder}
          onChange={(event) => {
            setText(event.target.value);
          }}
          onKeyDown={onKeyDown}
          className="max-h-48 min-h-11 min-w-0 flex-1 resize-none overflow-y-auto bg-transparent px-2 py-2.5 leading-6 placeholder:text-ink-soft focus-visible:outline-none short:max-h-24"
        />
        {busy && onStop !== undefined ? (
          <Button look="outline" size="icon" aria-label={t("stop")} title={t("stopHint")} onClick={halt}>
            <Square aria-hidden className="fill-current" />
          </Button>
        ) : (
          <Button type="submit" look="primary" size="icon" aria-label={t("send")} disabled={closed}>
            <ArrowUp aria-hidden />
          </Button>
        )}
      </div>
    </form>
  );
}
