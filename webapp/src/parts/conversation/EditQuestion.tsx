import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { composing } from "@/lib/ui/keys";

type Props = { text: string; onSend: (text: string, key: string) => Promise<unknown>; onClose: () => void };

/** The last question in a text field, to be asked again in other words. Enter sends, Escape cancels. */
export function EditQuestion({ text: was, onSend, onClose }: Props) {
  const { t } = useTranslation("conversation");
  const [text, setText] = useState(was);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const attempt = useRef<{ text: string; key: string } | null>(null);
  const trimmed = text.trim();
  useEffect(() => {
    const area = box.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);

  const submit = async () => {
    if (sending || trimmed === "") return;
    // Sending the same text again, after an answer was lost, must not create a second message.
    if (attempt.current?.text !== trimmed) attempt.current = { text: trimmed, key: idempotencyKey() };
    setSending(true);
    setError(null);
    try {
      await onSend(trimmed, attempt.current.key);
      onClose();
    } catch (refused) {
      setError(sentenceOf(refused, t("editFailed")));
      setSending(false);
    }
  };

  return (
    <form
      className="ml-auto w-full max-w-xl"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={box}
        value={text}
        readOnly={sending}
        aria-label={t("editLabel")}
        onChange={(event) => {
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (composing(event)) return;
          if (event.key === "Escape") {
            event.preventDefault();
            onClose();
          } else if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            void submit();
          }
        }}
        className="field-sizing-content max-h-64 min-h-11 w-full resize-none rounded-2xl border border-rule-strong/70 bg-sheet px-4 py-2.5 leading-6"
      />
      {error !== null && (
        <p role="alert" className="text-sm text-overdue">
          {error}
        </p>
      )}
      <div className="mt-1 flex justify-end gap-2">
        <Button look="quiet" size="small" disabled={sending} onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button type="submit" size="small" disabled={sending || trimmed === ""}>
          {sending && <Spinner />}
          {t("send")}
        </Button>
      </div>
    </form>
  );
}
