import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { composing } from "@/lib/ui/keys";
import { useRename } from "./useRename";

type Props = { id: string; title: string; onDone: () => void };

/** Renames a conversation: Enter saves, Escape cancels. */
export function TitleForm({ id, title, onDone }: Props) {
  const { t } = useTranslation("conversation");
  const [text, setText] = useState(title);
  const rename = useRename(id);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    box.current?.select();
  }, []);
  const keep = () => {
    const wanted = text.trim();
    if (wanted === "" || rename.isPending) return;
    if (wanted === title) {
      onDone();
      return;
    }
    rename.mutate(wanted, {
      onSuccess: onDone,
      onError: (error) => {
        toast.error(sentenceOf(error, t("changeFailed")));
      },
    });
  };
  return (
    <form
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <input
        ref={box}
        value={text}
        maxLength={120}
        aria-label={t("title")}
        className="min-h-10 min-w-0 flex-1 basis-56 rounded-lg border border-rule-strong/60 bg-sheet px-3"
        onChange={(event) => {
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (composing(event) && event.key === "Enter") event.preventDefault(); // it would submit the form
          if (event.key !== "Escape" || composing(event)) return;
          event.preventDefault();
          onDone();
        }}
      />
      <Button type="submit" size="small" disabled={text.trim() === "" || rename.isPending}>
        {t("keep")}
      </Button>
      <Button look="quiet" size="small" onClick={onDone}>
        {t("cancel")}
      </Button>
    </form>
  );
}
