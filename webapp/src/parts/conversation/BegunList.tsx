import { RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Progress } from "@/lib/ui/progress";
import { unpaid, type useUploadEach } from "./useUploadEach";

type Props = { several: ReturnType<typeof useUploadEach>; home: string };

/** Several files on their way, each with what became of it; nothing while there are none. */
export function BegunList({ several: { files, again, clear }, home }: Props) {
  const { t } = useTranslation("conversation");
  if (files.length === 0) return null;
  const sent = files.filter(({ state }) => state === "sent").length;
  const failed = files.filter(({ state }) => state === "failed");
  const done = files.every(({ state }) => state === "sent" || state === "failed");
  return (
    <section aria-label={t("files.title")} className="mt-8 text-left">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p role="status" className="text-sm font-medium text-ink-soft">
          {t("files.total", { sent, count: files.length })}
        </p>
        {done && (
          <div className="flex gap-1">
            {failed.length > 1 && (
              <Button
                look="quiet"
                size="small"
                onClick={() => {
                  again(failed);
                }}
              >
                <RotateCcw aria-hidden />
                {t("files.again")}
              </Button>
            )}
            <Button look="quiet" size="small" onClick={clear}>
              {t("files.clear")}
            </Button>
          </div>
        )}
      </div>
      <ul className="mt-1 border-t border-rule text-[0.9375rem]">
        {files.map(({ key, file, state, share, id, error }, at) => (
          <li key={key} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-rule py-2">
            <span className="min-w-0 flex-1 basis-40 break-words">
              {state === "sent" && id !== null ? (
                <Link to={`${home}/${id}`} className="text-accent underline-offset-4 hover:underline">
                  {file.name}
                </Link>
              ) : (
                file.name
              )}
            </span>
            {state === "sending" && (
              <Progress value={Math.round(share * 100)} max={100} label={t("upload.sent")} className="w-32" />
            )}
            {state === "failed" ? (
              <>
                <span role="alert" className="text-overdue">
                  {unpaid(error) ? t("files.noUse") : sentenceOf(error, t("upload.failed"))}
                </span>
                <Button
                  size="small"
                  onClick={() => {
                    again(files.slice(at, at + 1));
                  }}
                >
                  <RotateCcw aria-hidden />
                  {t("retry")}
                </Button>
              </>
            ) : (
              state !== "sending" && <span className="text-sm text-ink-soft">{t(`files.${state}`)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
