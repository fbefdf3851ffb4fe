import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { draftVersionOptions, draftVersionsOptions, sentenceOf, type Draft } from "@/lib/api";
import { AnswerText } from "@/parts/conversation";
import { ago, moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Changes } from "@/lib/ui/Changes";
import { cn } from "@/lib/ui/cn";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { useWorks } from "@/lib/works";
import { useDraftActs } from "./useDraftActs";

type VersionsProps = { draft: Draft; open: boolean; onClose: () => void };

/** The versions of a draft: who made each and when, what has changed since, and a button to restore it. */
export function Versions({ draft, open, onClose }: VersionsProps) {
  const { t } = useTranslation("draft");
  return (
    <Dialog
      open={open}
      onOpenChange={(wanted) => {
        if (!wanted) onClose();
      }}
    >
      <DialogContent
        title={t("versions.title")}
        closeLabel={t("close")}
        className="flex max-h-[calc(100dvh-24px)] max-w-5xl flex-col"
      >
        <Inside draft={draft} onDone={onClose} />
      </DialogContent>
    </Dialog>
  );
}

function Inside({ draft, onDone }: { draft: Draft; onDone: () => void }) {
  const { t } = useTranslation("draft");
  const { data, error, refetch } = useQuery(draftVersionsOptions(draft.id));
  const [chosen, choose] = useState<number | null>(null);
  const { restore } = useDraftActs(draft.id);
  const versions = data?.versions ?? [];
  const [latest, before] = versions;
  const shown = chosen ?? before?.version ?? latest?.version ?? null;

  const undo = () => {
    restore.mutate(draft.version, {
      onError: (failure) => {
        toast.error(sentenceOf(failure, t("versions.restoreFailed")));
      },
    });
  };
  const back = (version: number) => {
    restore.mutate(version, {
      onSuccess: () => {
        onDone();
        toast.success(t("versions.restored", { version }), {
          duration: 30_000,
          action: { label: t("undo"), onClick: undo },
        });
      },
      onError: (failure) => {
        toast.error(sentenceOf(failure, t("versions.restoreFailed")));
      },
    });
  };

  if (error !== null) {
    return (
      <div className="mt-4">
        <p role="alert">{sentenceOf(error, t("versions.failed"))}</p>
        <Button size="small" className="mt-2" onClick={() => void refetch()}>
          {t("again")}
        </Button>
      </div>
    );
  }
  if (data === undefined || shown === null) return <Skeleton className="mt-4" />;
  return (
    <div className="mt-3 grid min-h-0 gap-4 overflow-y-auto sm:grid-cols-[14rem_minmax(0,1fr)] sm:overflow-visible">
      <ul className="max-h-48 space-y-0.5 overflow-y-auto p-0.5 sm:max-h-[60dvh]" aria-label={t("versions.title")}>
        {versions.map(({ version, by, who, made_at: at }) => (
          <li key={version}>
            <button
              type="button"
              aria-pressed={version === shown}
              className={cn(
                "w-full rounded-lg px-3 py-2 text-left hover:bg-accent-soft",
                version === shown && "bg-accent-soft text-accent",
              )}
              onClick={() => {
                choose(version);
              }}
            >
              <span className="block font-medium">
                {t(version === latest?.version ? "versions.latest" : "versions.number", { version })}
              </span>
              <span className="block text-sm text-ink-soft">
                {who || t(`versions.by.${by}`)},{" "}
                <time dateTime={at} title={t("versions.at", { when: moment(at) })}>
                  {ago(at)}
                </time>
              </span>
              <span className="block text-sm text-ink-soft tabular-nums">{t("versions.at", { when: moment(at) })}</span>
            </button>
          </li>
        ))}
      </ul>
      <Preview
        draft={draft}
        version={shown}
        isLatest={shown === latest?.version}
        restoring={restore.isPending}
        onRestore={() => {
          back(shown);
        }}
      />
    </div>
  );
}

type PreviewProps = { draft: Draft; version: number; isLatest: boolean; restoring: boolean; onRestore: () => void };

function Preview({ draft, version, isLatest, restoring, onRestore }: PreviewProps) {
  const { t } = useTranslation("draft");
  const { data, error } = useQuery(draftVersionOptions(draft.id, version, draft.updated_at));
  const [whole, setWhole] = useState(false);
  const works = useWorks();
  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <div className="flex flex-wrap items-center gap-2 pb-2">
        <div role="group" aria-label={t("versions.show")} className="flex gap-1">
          {([false, true] as const).map((one) => (
            <Button
              key={String(one)}
              look="quiet"
              size="small"
              aria-pressed={whole === one}
              className={cn(whole === one && "bg-accent-soft text-accent")}
              onClick={() => {
                setWhole(one);
              }}
            >
              {t(one ? "versions.whole" : "versions.changes")}
            </Button>
          ))}
        </div>
        {!isLatest && works && !draft.locked && (
          <Button look="primary" size="small" className="ml-auto" disabled={restoring} onClick={onRestore}>
            {restoring && <Spinner className="size-4" />}
            {t("versions.restore", { version })}
          </Button>
        )}
      </div>
      {error !== null ? (
        <p role="alert">{sentenceOf(error, t("versions.failed"))}</p>
      ) : data === undefined ? (
        <Skeleton />
      ) : whole ? (
        // Focusable, so that it can be scrolled with the keyboard.
        <div
          role="region"
          aria-label={t("versions.whole")}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-[60dvh] overflow-y-auto rounded-lg border border-rule p-4"
        >
          <AnswerText text={data.text} blanks />
        </div>
      ) : data.changes === "" ? (
        <p className="text-ink-soft">{t(isLatest ? "versions.isLatest" : "versions.same")}</p>
      ) : (
        <Changes
          diff={data.changes}
          label={t("versions.changes")}
          words={{ added: t("versions.added"), removed: t("versions.removed") }}
          gap="…"
          className="max-h-[60dvh] font-serif text-[0.9375rem]"
        />
      )}
    </div>
  );
}
