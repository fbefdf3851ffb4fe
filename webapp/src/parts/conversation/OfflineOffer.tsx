import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { sentenceOf, takeOfflineAnswer, type Turn } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";

/** After this many seconds without output from the model, the person is told. */
const patience = 20;

/** The kinds of steps that ask a model. */
const asking: readonly string[] = ["open_facts", "prompt", "propose", "draft"];

type OfflineOfferProps = {
  turn: Turn;
  /** How much of the answer has arrived; an answer that is not streamed arrives in parts. */
  written?: number;
  /** The offline answer is being written. The button disappears, so the keyboard focus must move elsewhere. */
  onTaken: () => void;
};

/** If the model has sent nothing for a while, offers the offline engine's answer instead. */
export function OfflineOffer({ turn, written = 0, onTaken }: OfflineOfferProps) {
  const { t } = useTranslation("conversation");
  const step = turn.steps?.find(({ state }) => state === "running");
  // Any output of the model starts the waiting time again.
  const wait =
    step !== undefined && asking.includes(step.kind)
      ? `${turn.id} ${step.id} ${String(step.done)} ${String(written)}`
      : null;
  const [long, setLong] = useState<string | null>(null);
  useEffect(() => {
    if (wait === null) return;
    const timer = setTimeout(() => {
      setLong(wait);
    }, patience * 1000);
    return () => {
      clearTimeout(timer);
    };
  }, [wait]);
  const take = useMutation({
    mutationFn: () => takeOfflineAnswer({ path: { id: turn.id }, throwOnError: true }),
    onSuccess: onTaken,
    onError: (error) => {
      toast.error(sentenceOf(error, t("offline.failed")));
    },
  });
  const offered = wait !== null && long === wait && !take.isSuccess;
  return (
    <div className={cn("flex flex-wrap items-center gap-3 text-[0.9375rem] text-due", offered && "mt-3")}>
      {/* Rendered before its text, so that screen readers announce the text. */}
      <p role="status" className="max-w-prose">
        {offered && t(turn.kind === "reply" ? "offline.waitingReply" : "offline.waiting", { count: patience })}
      </p>
      {offered && (
        <Button
          aria-disabled={take.isPending}
          onClick={() => {
            if (!take.isPending) take.mutate();
          }}
        >
          {t(turn.kind === "reply" ? "offline.takeReply" : "offline.take")}
        </Button>
      )}
    </div>
  );
}
