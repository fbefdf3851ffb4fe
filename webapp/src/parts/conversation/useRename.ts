import { useMutation, useQueryClient } from "@tanstack/react-query";
import { conversationQueryKey, conversationsQueryKey, renameConversation } from "@/lib/api";

/** Renames a conversation. */
export function useRename(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (title: string) => {
      await renameConversation({ path: { id }, body: { title }, throwOnError: true });
    },
    onSuccess: () =>
      Promise.all(
        [conversationQueryKey(id), conversationsQueryKey()].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
}
