import { useMutation, useQueryClient } from "@tanstack/react-query";
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

/** Deletes a conversation at once, and offers for half a minute to bring it back. */
export function useDelete() {
  const { t } = useTranslation("conversation");
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all(
      [noticesQueryKey(), conversationsQueryKey(), remindersQueryKey()].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const onError = (error: unknown) => {
    toast.error(sentenceOf(error, t("changeFailed")));
  };
  const restore = useMutation({
    mutationFn: async (id: string) => {
      await restoreConversation({ path: { id }, throwOnError: true });
    },
    onSuccess,
    onError,
  });
  return useMutation({
    mutationFn: async ({ id }: { id: string; name: string }) => {
      await deleteConversation({ path: { id }, throwOnError: true });
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
      return onSuccess();
    },
    onError,
  });
}
