import { useMutation, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import {
  conversationsQueryKey,
  deleteConversation,
  noticesQueryKey,
  remindersQueryKey,
  restoreConversation,
  sentenceOf,
} from "@/lib/api";

type Line = { id: string };

/** Deletes a conversation: it disappears from the lists at once, and returns if that fails or the person undoes it. */
export function useDelete() {
  const { t } = useTranslation("conversation");
  const queries = useQueryClient();
  const lists = [noticesQueryKey(), conversationsQueryKey()];
  const readAgain = () =>
    Promise.all([...lists, remindersQueryKey()].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const onError = (error: unknown) => {
    toast.error(sentenceOf(error, t("changeFailed")));
  };
  const restore = useMutation({
    mutationFn: async (id: string) => {
      await restoreConversation({ path: { id }, throwOnError: true });
    },
    onSuccess: readAgain,
    onError,
  });
  return useMutation({
    mutationFn: async ({ id }: { id: string; name: string }) => {
      await deleteConversation({ path: { id }, throwOnError: true });
    },
    onMutate: ({ id }) => {
      // Running queries would bring it back.
      for (const queryKey of lists) void queries.cancelQueries({ queryKey });
      const before = lists.flatMap((queryKey) => queries.getQueriesData({ queryKey }));
      for (const [key, data] of before) queries.setQueryData(key, without(data, id));
      return before;
    },
    onSuccess: (_, { id, name }) => {
      toast(t("deleted", { name }), {
        duration: 30_000,
        action: {
          label: t("undo"),
          onClick: () => {
            restore.mutate(id);
          },
        },
      });
    },
    onError: (error, _, before = []) => {
      for (const [key, data] of before) queries.setQueryData(key, data);
      onError(error);
    },
    onSettled: readAgain,
  });
}

/** Returns a paged list without one of its items; anything else unchanged. */
function without(data: unknown, id: string): unknown {
  const all = data as Partial<InfiniteData<Record<string, unknown>>> | undefined;
  if (!Array.isArray(all?.pages)) return data;
  return {
    ...all,
    pages: all.pages.map((page) =>
      Object.fromEntries(
        Object.entries(page).map(([name, lines]) => [
          name,
          name === "notices" || name === "conversations"
            ? (lines as Line[] | null)?.filter((line) => line.id !== id)
            : lines,
        ]),
      ),
    ),
  };
}
