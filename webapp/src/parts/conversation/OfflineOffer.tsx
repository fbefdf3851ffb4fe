import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { sentenceOf, takeOfflineAnswer, type Turn } from "@/lib/api";
import { Button } from "@/lib/ui/button";

/** Seconds for which a model may give nothing before the person is told. */
const patience = 20;

type OfflineOfferProps = {
  turn: Turn;
  /** How much of the answer is there. */
  written: number;
};

/** Told when the model that is asked has given nothing for a while: the offline engine's answer can be had instead. */
export function OfflineOffer({ turn, written }: OfflineOfferProps) {
  const step = turn.steps?.find(({ state }) => state === "running");
  // What comes from the model, or of its parts, begins the time anew.
  return step?.kind === "prompt" ? (
    <Waiting key={`${turn.id} ${step.id} ${String(step.done)} ${String(written)}`} turn={turn} />
  ) : null;
}

function Waiting({ turn }: { turn: Turn }) {
  const { t } = useTranslation("conversation");
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLong(true);
    }, patience * 1000);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const take = useMutation({
    mutationFn: () => takeOfflineAnswer({ path: { id: turn.id }, throwOnError: true }),
    onError: (error) => {
      toast.error(sentenceOf(error, t("offline.failed")));
    },
  });
  if (!long) return null;
  return (
    <div role="status" className="mt-3 flex flex-wrap items-center gap-3 text-[0.9375rem] text-due">
      <p className="max-w-prose">{t("offline.told", { count: patience })}</p>
      <Button
        disabled={take.isPending || take.isSuccess}
        onClick={() => {
          take.mutate();
        }}
      >
        {t("offline.take")}
      </Button>
    </div>
  );
}
