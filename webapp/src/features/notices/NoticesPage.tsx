import { useMutation, useQuery } from "@tanstack/react-query";
import { FileSearch, LockOpen, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { meOptions, publicConfigOptions, sayNoUseLeft } from "@/lib/api";
import { may } from "@/lib/may";
import { cn } from "@/lib/ui/cn";
import {
  BegunList,
  Composer,
  UploadArea,
  UploadButton,
  useBegin,
  useProblem,
  useSpent,
  useUploadEach,
} from "@/parts/conversation";
import { toast } from "sonner";
import { DataUseBelow } from "@/parts/privacy";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";
import { EmptyDrawing } from "./EmptyDrawing";
import { NoticeList } from "./NoticeList";
import sampleUrl from "./sample-notice.pdf?url";
import { home, plugin, useWords } from "./words";

/** Notice Analysis when no notice is open: the upload, the list of notices, and below it what the app adds. */
export function NoticesPage({ children }: { children?: ReactNode }) {
  const { t } = useTranslation(["notices", "conversation"]);
  const config = useQuery(publicConfigOptions()).data;
  const spent = useSpent();
  const works = may(useQuery(meOptions()).data, "work");
  const words = useWords();
  const { sending, send } = useBegin(plugin, home);
  const several = useUploadEach(plugin);
  const problem = useProblem(send.error, t("conversation:sendFailed"));
  usePageTitle(t("title"), config?.product_name ?? "");

  return (
    <UploadArea
      sending={sending}
      config={config}
      types={[]}
      words={words}
      disabled={send.isPending}
      onSeveral={several.add}
    >
      {(openDialog) => (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto">
            <div className="group/page mx-auto flex min-h-full w-full max-w-5xl flex-col px-4 py-8 has-[#notices]:py-5 sm:px-6">
              <div className="my-auto text-center group-has-[#notices]/page:my-0 md:group-has-[#notices]/page:grid md:group-has-[#notices]/page:grid-cols-[1fr_auto] md:group-has-[#notices]/page:items-center md:group-has-[#notices]/page:gap-x-6 md:group-has-[#notices]/page:text-left">
                <EmptyDrawing className="mx-auto h-32 group-has-[#notices]/page:hidden short:hidden" />
                <div className="mt-6 group-has-[#notices]/page:mt-0">
                  <h1 className="font-serif text-[1.75rem] leading-9 font-semibold text-balance">
                    {t(works ? "empty.heading" : "title")}
                  </h1>
                  {works && !spent && (
                    <p className="mt-2 text-ink-soft group-has-[#notices]/page:mt-1">{t("empty.hint")}</p>
                  )}
                </div>
                <div
                  className={cn(
                    "group-has-[#notices]/page:mt-3 md:group-has-[#notices]/page:mt-0 md:group-has-[#notices]/page:text-right",
                    !works && "hidden",
                  )}
                >
                  <Button
                    look="primary"
                    className="mt-6 px-6 group-has-[#notices]/page:mt-0"
                    onClick={() => {
                      if (spent) sayNoUseLeft();
                      else openDialog("");
                    }}
                  >
                    {spent ? <LockOpen aria-hidden /> : <Upload aria-hidden />}
                    {t(spent ? "empty.spent" : "empty.upload")}
                  </Button>
                  {!spent && (
                    <TrySample
                      upload={sending.upload}
                      onFailed={() => {
                        toast.error(t("sample.failed"));
                      }}
                    />
                  )}
                  <div className="mx-auto mt-4 max-w-md lg:hidden group-has-[#notices]/page:mt-2">
                    <DataUseBelow config={config} />
                  </div>
                </div>
              </div>
              <BegunList several={several} />
              <NoticeList />
              {children}
            </div>
          </div>
          <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-6">
            <Composer
              draftKey="notices"
              placeholder={t("placeholder")}
              busy={false}
              sending={send.isPending}
              onSend={(text, key) => send.mutateAsync({ text, key })}
              error={problem}
              before={
                <UploadButton
                  onClick={() => {
                    openDialog("");
                  }}
                />
              }
            />
            <p className="mt-2 text-center text-sm text-ink-soft short:hidden">{t("review")}</p>
          </div>
        </>
      )}
    </UploadArea>
  );
}

type SampleProps = { upload: ReturnType<typeof useBegin>["sending"]["upload"]; onFailed: () => void };

/** Analyses a fictional notice that comes with the app, for people who have none at hand. */
function TrySample({ upload, onFailed }: SampleProps) {
  const { t } = useTranslation("notices");
  const me = useQuery(meOptions()).data;
  const counted = me?.limited === true && !me.premium;
  const sample = useMutation({
    mutationFn: async () => {
      const answer = await fetch(sampleUrl);
      if (!answer.ok) throw new Error(`the sample was answered ${String(answer.status)}`);
      const file = new File([await answer.blob()], "sample-notice.pdf", { type: "application/pdf" });
      await upload.mutateAsync({ files: [file], type: "" });
    },
    onError: onFailed,
  });
  return (
    <Button
      look="link"
      className="mx-auto mt-2 flex"
      disabled={sample.isPending}
      onClick={() => {
        sample.mutate();
      }}
    >
      {sample.isPending ? <Spinner /> : <FileSearch aria-hidden />}
      {t(counted ? "sample.tryCounted" : "sample.try")}
    </Button>
  );
}
