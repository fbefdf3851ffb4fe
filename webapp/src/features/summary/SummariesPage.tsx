import { useQuery } from "@tanstack/react-query";
import { FileText, RotateCcw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { publicConfigOptions, type Plugin } from "@/lib/api";
import {
  BeginPage,
  BegunList,
  DropArea,
  Processing,
  useBegin,
  usePaste,
  useProblem,
  useRefusal,
  useUploadEach,
  WithPhotographs,
} from "@/parts/conversation";
import { DataUseBelow } from "@/parts/privacy";
import { fileSize } from "@/lib/format";
import { isPhotograph } from "@/lib/photograph";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { home, useWords } from "./words";

const PhotographPages = lazy(() => import("@/parts/conversation/PhotographPages"));

/** Document Summarizer when no document is open: the upload, and earlier summaries. */
export function SummariesPage({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation(["summary", "conversation", "plugin"]);
  const config = useQuery(publicConfigOptions()).data;
  const words = useWords(plugin);
  const refuse = useRefusal(config);
  const { upload, share, cancel } = useBegin(plugin.id, home).sending;
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  const [pages, setPages] = useState<File[]>([]);
  const [others, setOthers] = useState<File[]>([]); // PDFs that were chosen with photographs
  const send = (chosen: File[]) => {
    upload.mutate({ files: chosen, type: "" });
  };
  const several = useUploadEach(plugin.id);
  const take = (files: File[]) => {
    const [chosen] = files;
    if (upload.isPending || chosen === undefined) return;
    const photographs = files.filter(isPhotograph);
    if (photographs.length > 0) {
      const rest = files.filter((one) => !isPhotograph(one));
      setRefusal(rest.map(refuse).find((said) => said !== null) ?? null);
      setPages([...pages, ...photographs]);
      setOthers([...others, ...rest.filter((one) => refuse(one) === null)]);
      setFile(null);
      upload.reset();
      return;
    }
    if (files.length > 1) {
      setRefusal(files.map(refuse).find((said) => said !== null) ?? null);
      several.add(files.filter((one) => refuse(one) === null).map((one) => [one]));
      return;
    }
    const sentence = refuse(chosen);
    setRefusal(sentence);
    setFile(sentence === null ? chosen : null);
    upload.reset();
    if (sentence === null) send([chosen]);
  };
  usePaste(take);
  const failure = useProblem(upload.error, t("failed"));

  return (
    <BeginPage plugin={plugin} home={home} words={words}>
      <section aria-label={words.upload} className="mt-6">
        {pages.length > 0 && !upload.isPending ? (
          <>
            <Suspense fallback={<Spinner />}>
              <PhotographPages
                pages={pages}
                disabled={false}
                onChange={(changed) => {
                  setPages(changed);
                  setRefusal(null);
                  // Without photographs nothing is left to wait for.
                  if (changed.length === 0 && others.length > 0) {
                    several.add(others.map((one) => [one]));
                    setOthers([]);
                  }
                  upload.reset();
                }}
                onMore={take}
              />
            </Suspense>
            <WithPhotographs files={others} />
            <Button
              look="primary"
              className="mt-3"
              onClick={() => {
                setRefusal(null);
                if (others.length === 0) {
                  send(pages);
                  return;
                }
                several.add([...others.map((one) => [one]), pages]);
                setPages([]);
                setOthers([]);
              }}
            >
              {others.length > 0
                ? t("conversation:photographs.sendAll")
                : t("conversation:photographs.send", { count: pages.length })}
            </Button>
          </>
        ) : (
          <DropArea config={config} disabled={upload.isPending} onFiles={take}>
            {upload.isPending && <Processing share={share} words={t("processing")} />}
          </DropArea>
        )}
        <div className="mt-3 space-y-3">
          {refusal !== null && (
            <p role="alert" className="text-[0.9375rem] text-overdue">
              {refusal}
            </p>
          )}
          {failure !== null && pages.length > 0 && (
            <p role="alert" className="text-[0.9375rem] text-overdue">
              {failure}
            </p>
          )}
          {failure !== null && file !== null && (
            <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-rule bg-sheet p-4">
              <div className="min-w-0">
                <p role="alert" className="text-[0.9375rem] text-overdue">
                  {failure}
                </p>
                <p className="mt-1 flex items-center gap-2 text-[0.9375rem]">
                  <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
                  <span className="min-w-0 break-words">
                    {t("plugin:chosen", { name: file.name, size: fileSize(file.size) })}
                  </span>
                </p>
              </div>
              <Button
                size="small"
                onClick={() => {
                  send([file]);
                }}
              >
                <RotateCcw aria-hidden />
                {t("retry")}
              </Button>
            </div>
          )}
          {upload.isPending && (
            <Button size="small" onClick={cancel}>
              {t("conversation:upload.cancel")}
            </Button>
          )}
          <DataUseBelow config={config} />
          {words.note !== "" && <p className="text-sm text-ink-soft">{words.note}</p>}
        </div>
      </section>
      <BegunList several={several} />
    </BeginPage>
  );
}
