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
import type { UploadRequest, useUpload } from "./useUpload";
import type { Words } from "./words";

type Props = {
  sending: ReturnType<typeof useUpload>;
  config: PublicConfig | undefined;
  /** Document types to choose from; none when only the document that the conversation is about can be meant. */
  types: string[];
  words: Pick<Words, "upload" | "again">;
  /** Nothing can be uploaded now, since a reply is being written. */
  disabled: boolean;
  /** Where files of figures are shown; null or left out where none are taken. */
  figures?: string | null;
  /**
   * Takes several papers that each begin a conversation of their own, a PDF or the photographs of its pages each; left
   * out where there is one to be sent to.
   */
  onSeveral?: (papers: File[][]) => void;
  children: (open: (type: string) => void) => ReactNode;
};

/**
 * A screen on which documents can be dropped or pasted anywhere, and which holds the upload dialog. Several files for
 * one conversation are sent one after the other, each when the answer to the one before is there.
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
  // What Munshi asked for costs no use; of what comes first it can be told before a file is chosen that none is left.
  const spent = types.length === 0 && me !== undefined && me.limited && !me.premium && me.used >= me.free;
  // Who opened the dialog before that was known is told then.
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
      // Where they are compared is opened at once, and says how far they are; a refusal is told in the dialog.
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
    // Photographs are the pages of one paper, and the person says in what order; PDFs among them wait until then.
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
    // The first file can only be what the conversation is about; of a later one the person says what it is.
    const direct = refusal === null && first === undefined;
    setIntent({ type: first ?? "", waiting: direct ? [] : taken, refusal });
    const [file] = taken;
    if (direct && file !== undefined) upload.mutate({ files: [file], type: "" }, { onSuccess: close });
  };

  // The next file is sent once the answer to the one before is written.
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

  // A file that was dropped where nothing takes any was brought along to this page.
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
    // The dropzone calls its area disabled while it takes no file, but all else in here still works.
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

/** The files that are still to be sent, and why the next one was not. */
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
