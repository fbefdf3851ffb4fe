import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  draftQueryKey,
  draftsQueryKey,
  draftVersionsQueryKey,
  editDraft,
  getDraft,
  replyQueryKey,
  restoreDraftVersion,
  type Draft,
  type Reply,
} from "@/lib/api";

/** What a person can do with a draft that is open; every place that shows it follows. */
export function useDraftActs(id: string) {
  const queries = useQueryClient();

  /** Shows a draft as the server has just given it. */
  const show = async (draft: Draft) => {
    const reply =
      draft.kind === "reply" && draft.conversation_id !== null ? replyQueryKey(draft.conversation_id) : null;
    // What was asked before would bring back what it was.
    await queries.cancelQueries({ queryKey: draftQueryKey(id) });
    queries.setQueryData<Draft>(draftQueryKey(id), draft);
    if (reply !== null) {
      await queries.cancelQueries({ queryKey: reply });
      queries.setQueryData<Reply>(reply, (old) => old && { ...old, draft });
    }
    void queries.invalidateQueries({ queryKey: draftsQueryKey() });
    void queries.invalidateQueries({ queryKey: draftVersionsQueryKey(id) });
  };

  const rename = useMutation({
    mutationFn: async (title: string) => (await editDraft({ path: { id }, body: { title }, throwOnError: true })).data,
    onSuccess: show,
  });
  const write = useMutation({
    mutationFn: async (words: { part: string; text: string; revision: number }) =>
      (await editDraft({ path: { id }, body: words, throwOnError: true })).data,
    onSuccess: show,
  });
  const restore = useMutation({
    mutationFn: async (version: number) =>
      (await restoreDraftVersion({ path: { id, version }, throwOnError: true })).data,
    onSuccess: show,
  });
  /** Looks at what the draft is now, at the server. */
  const look = async () => {
    const { data } = await getDraft({ path: { id }, throwOnError: true });
    await show(data);
    return data;
  };
  return { rename, write, restore, look };
}
