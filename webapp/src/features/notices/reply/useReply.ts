import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { conversationOptions, draftReply, idempotencyKey, reload, replyOptions, replyQueryKey } from "@/lib/api";
import type { ConversationView } from "@/parts/conversation";

// How often the parts are loaded while they are being written.
const pace = 2_500;

/** Loads the reply to a conversation's notice, reloads it with the conversation, and can start drafting it. */
export function useReply(id: string, { working, accept }: ConversationView) {
  const queries = useQueryClient();
  const conversation = useQuery(conversationOptions(id)).data;
  const query = useQuery({ ...replyOptions(id), refetchInterval: working ? pace : false });
  const before = useRef(conversation);
  useEffect(() => {
    if (before.current !== undefined && before.current !== conversation) void reload(queries, replyQueryKey(id));
    before.current = conversation;
  }, [queries, id, conversation]);

  const draft = useMutation({
    mutationFn: async () =>
      (await draftReply({ path: { id }, headers: { "Idempotency-Key": idempotencyKey() }, throwOnError: true })).data,
    onSuccess: accept,
  });
  return { query, draft };
}
