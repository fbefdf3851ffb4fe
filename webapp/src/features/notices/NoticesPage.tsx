import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { publicConfigOptions, sentenceOf } from "@/lib/api";
import { Composer, ConversationList, Privacy, UploadArea, UploadButton, useBegin } from "@/lib/conversation";
import { Button } from "@/lib/ui/button";
import { usePageTitle } from "@/lib/ui/title";
import { EmptyDrawing } from "./EmptyDrawing";
import { home, plugin, useWords } from "./words";

/** Notice Analysis before a notice is open: the way to bring one, and the ones brought before. */
export function NoticesPage() {
  const { t } = useTranslation(["notices", "conversation"]);
  const config = useQuery(publicConfigOptions()).data;
  const words = useWords();
  const { sending, send } = useBegin(plugin, home);
  usePageTitle(t("title"), config?.product_name ?? "");

  return (
    <UploadArea sending={sending} config={config} types={[]} words={words} disabled={send.isPending}>
      {(openDialog) => (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto">
            <div className="mx-auto flex min-h-full w-full max-w-2xl flex-col px-4 py-8 sm:px-6">
              <div className="my-auto text-center">
                <EmptyDrawing className="mx-auto h-32 short:hidden" />
                <h1 className="mt-6 font-serif text-[1.75rem] leading-9 font-semibold text-balance">{t("empty.heading")}</h1>
                <p className="mt-2 text-ink-soft">{t("empty.hint")}</p>
                <Button
                  look="primary"
                  className="mt-6 px-6"
                  onClick={() => {
                    openDialog("");
                  }}
                >
                  <Upload aria-hidden />
                  {t("empty.upload")}
                </Button>
                <div className="mx-auto mt-4 max-w-md">
                  <Privacy config={config} />
                </div>
              </div>
              <ConversationList plugin={plugin} home={home} words={words} />
            </div>
          </div>
          <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-6">
            <Composer
              draftKey="notices"
              placeholder={t("placeholder")}
              busy={false}
              sending={send.isPending}
              onSend={(text, key) => send.mutateAsync({ text, key })}
              error={send.error === null ? null : sentenceOf(send.error, t("conversation:sendFailed"))}
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
