import { useQuery, useQueryClient, useMutation } from "@tanstack/react-query";
import { ChevronRight, Paperclip, Upload } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import {
  conversationOptions,
  conversationsOptions,
  conversationsQueryKey,
  createConversation,
  postMessage,
  publicConfigOptions,
  sentenceOf,
  type Conversation,
} from "@/lib/api";
import { Composer } from "@/lib/conversation";
import { ago } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";
import { EmptyDrawing } from "./EmptyDrawing";
import { UploadArea } from "./UploadArea";
import { Privacy } from "./UploadDialog";
import { useUpload } from "./useUpload";

const plugin = "notice";

/** Notice Analysis before a notice is open: the way to bring one, and the ones brought before. */
export function NoticesPage() {
  const { t } = useTranslation(["notices", "conversation"]);
  const config = useQuery(publicConfigOptions()).data;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const begun = useRef<string | null>(null);
  usePageTitle(t("title"), config?.product_name ?? "");

  // A conversation begun for an upload that was refused serves the next one.
  const begin = async () => {
    begun.current ??= (await createConversation({ body: { plugin }, throwOnError: true })).data.id;
    return begun.current;
  };
  const open = async (id: string) => {
    void queries.invalidateQueries({ queryKey: conversationsQueryKey() });
    // Read ahead, so that the next page opens with its content; it says itself what went wrong.
    await queries.query(conversationOptions(id)).catch(() => undefined);
    await navigate(`/app/notices/${id}`);
  };

  const sending = useUpload(begin, open);
  const send = useMutation({
    mutationFn: async ({ text, key }: { text: string; key: string }) => {
      const id = await begin();
      await postMessage({ path: { id }, body: { text }, headers: { "Idempotency-Key": key }, throwOnError: true });
      return id;
    },
    onSuccess: open,
  });

  return (
    <UploadArea sending={sending} config={config} types={[]} disabled={send.isPending}>
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
              <YourNotices />
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

/** The spec's upload button left of the message box. */
export function UploadButton({ onClick, disabled = false }: { onClick: () => void; disabled?: boolean }) {
  const { t } = useTranslation("notices");
  return (
    <Button look="quiet" size="icon" title={t("upload.document")} aria-label={t("upload.document")} onClick={onClick} disabled={disabled}>
      <Paperclip aria-hidden />
    </Button>
  );
}

function YourNotices() {
  const { t } = useTranslation("notices");
  const list = useQuery(conversationsOptions(plugin));
  const notices = (list.data?.conversations ?? []).filter(({ title, turn_state: state }) => title !== "" || state !== "none");
  if (list.isPending) {
    return (
      <div className="mt-10 space-y-4">
        <Skeleton className="w-32" />
        <Skeleton />
        <Skeleton />
      </div>
    );
  }
  if (list.isError) {
    return (
      <div className="mt-10 text-center text-[0.9375rem]">
        <p role="alert">{sentenceOf(list.error, t("list.failed"))}</p>
        <Button size="small" className="mt-2" onClick={() => void list.refetch()}>
          {t("list.again")}
        </Button>
      </div>
    );
  }
  if (notices.length === 0) return null;
  return (
    <section aria-labelledby="your-notices" className="mt-10">
      <h2 id="your-notices" className="text-sm font-medium text-ink-soft">
        {t("list.title")}
      </h2>
      <ul className="mt-1 divide-y divide-rule border-y border-rule">
        {notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
    </section>
  );
}

function NoticeRow({ notice }: { notice: Conversation }) {
  const { t } = useTranslation("notices");
  const working = notice.turn_state === "queued" || notice.turn_state === "running";
  return (
    <li>
      <Link to={`/app/notices/${notice.id}`} className="group flex items-center gap-3 py-3 focus-visible:-outline-offset-2">
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 font-medium group-hover:text-accent">{notice.title || t("list.untitled")}</span>
          <span className="flex items-center gap-1.5 text-sm text-ink-soft">
            {working && <Spinner className="size-3.5" />}
            {t(`list.state.${notice.turn_state}`, { ago: ago(notice.updated_at) })}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-soft" />
      </Link>
    </li>
  );
}
