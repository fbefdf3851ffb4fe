import { useQuery } from "@tanstack/react-query";
import { LockOpen, RotateCcw, Upload } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { meOptions, sayNoUseLeft, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Progress } from "@/lib/ui/progress";
import { isSpent } from "./useSpent";
import { onItsWay, unpaid, type Begun, type useUploadEach } from "./useUploadEach";

type Several = ReturnType<typeof useUploadEach>;

/**
 * Files being uploaded; those already sent appear in the list below instead. Files for which no use was left wait until
 * there is one, and are then sent when the person says so.
 */
export function BegunList({ several: { files, again, clear } }: { several: Several }) {
  const { t } = useTranslation("conversation");
  const me = useQuery(meOptions()).data;
  const spent = me === undefined || isSpent(me);
  const there = files.length > 0 && files.every(({ state }) => state === "sent");
  const forget = useEffectEvent(() => {
    if (there) clear();
  });
  useEffect(
    () => () => {
      forget();
    },
    [],
  );
  if (files.length === 0) return null;
  const here = files.filter(({ state }) => state !== "sent");
  const failed = files.filter(({ state }) => state === "failed");
  const held = failed.filter(({ error }) => unpaid(error));
  const refused = failed.filter(({ error }) => !unpaid(error));
  return (
    <section aria-label={t("files.title")} className="mt-8 text-left">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
        <p role="status" className="text-sm font-medium text-ink-soft">
          {t("files.total", { sent: files.length - here.length, count: files.length })}
        </p>
        {!files.some(onItsWay) && (
          <div className="flex gap-1">
            {refused.length > 1 && (
              <Button
                look="quiet"
                size="small"
                onClick={() => {
                  again(refused);
                }}
              >
                <RotateCcw aria-hidden />
                {t("files.again")}
              </Button>
            )}
            <Button look="quiet" size="small" onClick={clear}>
              {failed.length > 0 ? t("files.discard", { count: failed.length }) : t("files.clear")}
            </Button>
          </div>
        )}
      </div>
      {held.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
          {spent ? (
            <p role="alert" className="text-sm text-overdue">
              {t("files.noUse", { count: held.length })}
            </p>
          ) : (
            <p role="status" className="text-sm">
              {t("files.held", { count: held.length })}
            </p>
          )}
          <Button
            look="primary"
            size="small"
            onClick={() => {
              if (spent) sayNoUseLeft();
              else again(held);
            }}
          >
            {spent ? <LockOpen aria-hidden /> : <Upload aria-hidden />}
            {spent ? t("files.goOn") : t("files.send", { count: held.length })}
          </Button>
        </div>
      )}
      {here.length > 0 && (
        <ul
          // Focusable, so that it can be scrolled with the keyboard.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={t("files.title")}
          className="mt-1 max-h-[50dvh] overflow-y-auto border-t border-rule text-[0.9375rem]"
        >
          {here.map((one) => (
            <Row
              key={one.key}
              one={one}
              spent={spent}
              onAgain={() => {
                again([one]);
              }}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

type RowProps = { one: Begun; spent: boolean; onAgain: () => void };

function Row({ one: { files, state, share, error }, spent, onAgain }: RowProps) {
  const { t } = useTranslation("conversation");
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-rule py-2">
      <span className="min-w-0 flex-1 basis-40 break-words">{files.map((file) => file.name).join(", ")}</span>
      {state === "waiting" && <span className="text-sm text-ink-soft">{t("files.waiting")}</span>}
      {state === "sending" && (
        <Progress value={Math.round(share * 100)} max={100} label={t("upload.sent")} className="w-32" />
      )}
      {state === "failed" && (
        <>
          {/* Those without a use are told of once, above. */}
          {!unpaid(error) && (
            <span role="alert" className="text-overdue">
              {sentenceOf(error, t("upload.failed"))}
            </span>
          )}
          {!(unpaid(error) && spent) && (
            <Button size="small" onClick={onAgain}>
              {unpaid(error) ? <Upload aria-hidden /> : <RotateCcw aria-hidden />}
              {unpaid(error) ? t("files.send", { count: 1 }) : t("retry")}
            </Button>
          )}
        </>
      )}
    </li>
  );
}
