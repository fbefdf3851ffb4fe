import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  approveDraft,
  draftQueryKey,
  draftsQueryKey,
  draftVersionsQueryKey,
  editDraft,
  everyMatterQueryKey,
  getDraft,
  mattersQueryKey,
  replyQueryKey,
  restoreDraftVersion,
  returnDraft,
  sendDraft,
  takeBackDraft,
  type Draft,
  type Reply,
} from "@/lib/api";

/** Returns a function that shows a draft as the server has just returned it. */
function useShown(id: string) {
  const queries = useQueryClient();
  return async (draft: Draft) => {
    const reply =
      draft.kind === "reply" && draft.conversation_id !== null ? replyQueryKey(draft.conversation_id) : null;
    // Running queries would bring back the old state.
    await queries.cancelQueries({ queryKey: draftQueryKey(id) });
    queries.setQueryData<Draft>(draftQueryKey(id), draft);
    if (reply !== null) {
      await queries.cancelQueries({ queryKey: reply });
      queries.setQueryData<Reply>(reply, (old) => old && { ...old, draft });
    }
    void queries.invalidateQueries({ queryKey: draftsQueryKey() });
    void queries.invalidateQueries({ queryKey: draftVersionsQueryKey(id) });
  };
}

/** The actions on an open draft; everything that shows the draft is updated. */
export function useDraftActs(id: string) {
  const show = useShown(id);
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
  /** Loads the draft's current state from the server. */
  const look = async () => {
    const { data } = await getDraft({ path: { id }, throwOnError: true });
    await show(data);
    return data;
  };
  return { rename, write, restore, look };
}

export type Act = NonNullable<Draft["acts"]>[number];

/** Sends a draft for review, takes it back, returns it for a reason, or approves it as it was read. */
export function useReview({ id, updated_at: read }: Draft) {
  const queries = useQueryClient();
  const show = useShown(id);
  return useMutation({
    mutationFn: async ({ act, reason }: { act: Act; reason: string }) => {
      const path = { id };
      switch (act) {
        case "send":
          return (await sendDraft({ path, throwOnError: true })).data;
        case "take_back":
          return (await takeBackDraft({ path, throwOnError: true })).data;
        case "return":
          return (await returnDraft({ path, body: { reason }, throwOnError: true })).data;
        case "approve":
          return (await approveDraft({ path, body: { read }, throwOnError: true })).data;
      }
    },
    onSuccess: show,
    // the draft may have changed since it was read
    onError: () => queries.invalidateQueries({ queryKey: draftQueryKey(id) }),
    onSettled: () => {
      for (const queryKey of [mattersQueryKey(), everyMatterQueryKey()]) void queries.invalidateQueries({ queryKey });
    },
  });
}
