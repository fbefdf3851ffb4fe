import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { useDropzone } from "react-dropzone";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { meOptions, sayNoUseLeft, type PublicConfig } from "@/lib/api";
import { isData } from "@/lib/data";
import { may } from "@/lib/may";
import { isPhotograph } from "@/lib/photograph";
import { Button } from "@/lib/ui/button";
import { filesIn } from "./dropped";
import { UploadDialog } from "./UploadDialog";
import { useProblem } from "./useProblem";
import { usePaste } from "./usePaste";
import { useRefusal, type UploadIntent } from "./useRefusal";
import { useSpent } from "./useSpent";
import type { UploadRequest, useUpload } from "./useUpload";
import type { Words } from "./words";

type Props = {
  sending: ReturnType<typeof useUpload>;
  config: PublicConfig | undefined;
  /** Document types to choose from; empty if only the document of the conversation can be uploaded. */
  types: string[];
  words: Pick<Words, "upload" | "again">;
  /** Nothing can be uploaded now, since a reply is being written. */
  disabled: boolean;
  /** The path of the page for files of figures; null or left out if none are accepted. */
  figures?: string | null;
  /** Takes several papers (PDF or photographs), each of which starts its own conversation; left out within one. */
  onSeveral?: (papers: File[][]) => void;
  children: (open: (type: string) => void) => ReactNode;
};

/**
 * A screen on which documents can be dropped or pasted anywhere, with the upload dialog. Several files for one
 * conversation are sent one after the other, each when the answer to the previous one is complete.
 */
export function UploadArea({ sending, config, types, words, disabled, figures = null, onSeveral, children }: Props) {
  const { t } = useTranslation("conversation");
  const [wanted, setIntent] = useState<UploadIntent | null>(null);
  const [queue, setQueue] = useState<UploadRequest[]>([]);
  const [held, setHeld] = useState(false);
  const { upload } = sending;
  const navigate = useNavigate();
  const refuse = useRefusal(config);
  const several = onSeveral !== undefined || types.length > 0;

  const me = useQuery(meOptions()).data;
  // Requested documents are free of charge; for the first document we can say before the selection that no use is left.
  const spent = useSpent() && types.length === 0;
  // Someone who opened the dialog before this was known is told now.
  const inVain = spent && wanted !== null && wanted.waiting.length === 0 && upload.isIdle;
  const intent = inVain ? null : wanted;
  useEffect(() => {
    if (inVain) sayNoUseLeft();
  }, [inVain]);

  const open = (type: string) => {
    if (spent) {
      sayNoUseLeft();
      return;
    }
    upload.reset();
    setIntent({ type, waiting: [], refusal: null });
  };
  const close = () => {
    setIntent(null);
  };
  const showRefusal = () => {
    setIntent({ type: "", waiting: [], refusal: null });
  };
  const receive = (given: File[]) => {
    if (given.length === 0 || disabled || intent !== null || !may(me, "work")) return;
    if (figures !== null && given.every(isData)) {
      upload.reset();
      // Opens the comparison at once, which shows their progress; a refusal is shown in the dialog.
      upload.mutate({ files: given, type: "", to: "figures" }, { onError: showRefusal });
      void navigate(figures);
      return;
    }
    if (spent) {
      sayNoUseLeft();
      return;
    }
    const files = several ? given : given.slice(0, 1);
    const [first] = types;
    const taken = files.filter((file) => refuse(file) === null);
    const refusal = files.map(refuse).find((said) => said !== null) ?? null;
    upload.reset();
    // Photographs are pages of one paper, and the person decides their order; PDFs chosen with them wait until then.
    if (given.some(isPhotograph)) {
      const only = several || given.every(isPhotograph) ? null : t("photographs.mixed");
      setIntent({
        type: first ?? "",
        waiting: only === null ? taken : given.filter(isPhotograph),
        refusal: refusal ?? only,
      });
      return;
    }
    if (first === undefined && taken.length > 1 && onSeveral !== undefined) {
      onSeveral(taken.map((file) => [file]));
      if (refusal !== null) setIntent({ type: "", waiting: [], refusal });
      return;
    }
    // The first file must be the document of the conversation; for later ones the person chooses the type.
    const direct = refusal === null && first === undefined;
    setIntent({ type: first ?? "", waiting: direct ? [] : taken, refusal });
    const [file] = taken;
    if (direct && file !== undefined) upload.mutate({ files: [file], type: "" }, { onSuccess: close });
  };

  // The next file is sent when the answer to the previous one is complete.
  const go = useEffectEvent(() => {
    const [next, ...rest] = queue;
    if (next === undefined) return;
    upload.mutate(next, {
      onSuccess: () => {
        setQueue(rest);
      },
      onError: () => {
        setHeld(true);
      },
    });
  });
  const ready = queue.length > 0 && !held && !disabled && intent === null && !upload.isPending;
  useEffect(() => {
    if (ready) go();
  }, [ready]);

  // A file dropped where none is accepted was passed to this page.
  const location = useLocation();
  const brought = filesIn(location.state);
  const bring = useEffectEvent(() => {
    if (brought.length === 0) return;
    void navigate({ search: location.search, hash: location.hash }, { replace: true, state: null });
    receive(brought);
  });
  useEffect(() => {
    const soon = setTimeout(() => {
      bring();
    });
    return () => {
      clearTimeout(soon);
    };
  }, [location.key]);

  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    multiple: true,
    disabled: disabled || intent !== null,
    onDrop: receive,
  });

  usePaste(receive);

  return (
    // The dropzone marks its area as disabled while it accepts no file, but everything else in it still works.
    <div
      {...zone.getRootProps({ role: "presentation", className: "relative flex min-h-0 flex-1 flex-col" })}
      aria-disabled={undefined}
    >
      {children(open)}
      {queue.length > 0 && (
        <Waiting
          names={queue.flatMap(({ files }) => files.map((file) => file.name))}
          error={held ? upload.error : null}
          onAgain={() => {
            upload.reset();
            setHeld(false);
          }}
          onCancel={() => {
            sending.cancel();
            setQueue([]);
            setHeld(false);
          }}
        />
      )}
      {zone.isDragActive && (
        <div className="pointer-events-none absolute inset-3 z-30 grid animate-fade place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/95 text-center">
          <p className="font-serif text-xl font-semibold text-accent">{t("dropHere")}</p>
        </div>
      )}
      {intent !== null && (
        <UploadDialog
          intent={intent}
          types={types}
          words={words}
          sending={sending}
          config={config}
          several={several}
          figures={figures}
          onMore={(papers, type) => {
            if (types.length === 0) onSeveral?.(papers);
            else setQueue((queued) => [...queued, ...papers.map((files) => ({ files, type }))]);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

type WaitingProps = { names: string[]; error: Error | null; onAgain: () => void; onCancel: () => void };

/** The files still to be sent, and why the next one was not sent. */
function Waiting({ names, error, onAgain, onCancel }: WaitingProps) {
  const { t } = useTranslation("conversation");
  const problem = useProblem(error, t("upload.failed"));
  return (
    <section
      aria-label={t("files.title")}
      className="mx-auto mb-3 flex w-full max-w-3xl flex-wrap items-center gap-x-3 gap-y-1 px-4 text-sm sm:px-6"
    >
      <p role="status" className="min-w-0 flex-1">
        {t("files.more", { count: names.length })} <span className="text-ink-soft">{names.join(", ")}</span>
        {problem !== null && <span className="block text-overdue">{problem}</span>}
      </p>
      {problem !== null && (
        <Button size="small" onClick={onAgain}>
          {t("retry")}
        </Button>
      )}
      <Button look="quiet" size="small" onClick={onCancel}>
        {t("files.cancel")}
      </Button>
    </section>
  );
}
