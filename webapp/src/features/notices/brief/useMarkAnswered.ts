import type { InfiniteData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  briefQueryKey,
  conversationQueryKey,
  conversationsQueryKey,
  markAnswered,
  noticesQueryKey,
  remindersQueryKey,
  type Brief,
  type NoticeList,
} from "@/lib/api";
import { useOptimistic } from "@/lib/optimistic";

/** Marks a notice as answered, or as open again. */
export function useMarkAnswered(id: string) {
  const { t } = useTranslation("notices");
  return useOptimistic({
    keys: [
      briefQueryKey(id),
      noticesQueryKey(),
      conversationQueryKey(id),
      conversationsQueryKey(),
      remindersQueryKey(),
    ],
    show: (queries, answered: boolean) => {
      const at = answered ? new Date().toISOString() : null;
      queries.setQueryData<Brief>(briefQueryKey(id), (old) => old && { ...old, answered_at: at });
      queries.setQueriesData<NoticeList | InfiniteData<NoticeList>>({ queryKey: noticesQueryKey() }, (old) => {
        if (old === undefined) return old;
        return "pages" in old ? { ...old, pages: old.pages.map((page) => marked(page, id, at)) } : marked(old, id, at);
      });
    },
    save: (answered) => markAnswered({ path: { id }, body: { answered }, keepalive: true, throwOnError: true }),
    failed: t("correct.failed"),
  });
}

function marked(page: NoticeList, id: string, at: string | null): NoticeList {
  const notices = page.notices?.map((notice) => (notice.id === id ? { ...notice, answered_at: at } : notice)) ?? null;
  return { ...page, notices };
}
