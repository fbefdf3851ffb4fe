import { useTranslation } from "react-i18next";
import { Progress } from "@/lib/ui/progress";
import { Spinner } from "@/lib/ui/spinner";

/** Shows how much of a file has been sent. */
export function Processing({ share, words }: { share: number; words?: string | undefined }) {
  const { t } = useTranslation("conversation");
  const percent = Math.round(share * 100);
  return (
    <div className="w-full max-w-64">
      <Spinner className="mx-auto size-8" />
      <p role="status" className="mt-3 font-medium">
        {words ?? t("upload.processing")}
      </p>
      <Progress value={percent} max={100} label={t("upload.sent")} className="mt-3" />
      <p className="mt-1 text-sm text-ink-soft tabular-nums">{t("upload.percent", { percent })}</p>
    </div>
  );
}
