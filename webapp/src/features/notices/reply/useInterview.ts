import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  answerQuestion,
  briefQueryKey,
  interviewOptions,
  interviewQueryKey,
  replyQueryKey,
  type InterviewQuestion,
} from "@/lib/api";

/** What a person says to a question; nothing at all takes back what they had said. */
export type Answer = Pick<InterviewQuestion, "holds" | "unknown"> & { words: string[] };

/** What is asked about a conversation's notice. */
export function useInterview(conversation: string) {
  return useQuery(interviewOptions(conversation));
}

/** Keeps the answer to one question; what it decides, here, in the reply and in the brief, is read anew. */
export function useAnswering(conversation: string, key: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `interview ${conversation}` }, // one after the other, so that an older list is never the last one
    mutationFn: async (answer: Answer) =>
      (await answerQuestion({ path: { id: conversation }, body: { key, ...answer }, throwOnError: true })).data,
    onSuccess: async (interview) => {
      queries.setQueryData(interviewQueryKey(conversation), interview);
      await Promise.all([
        queries.invalidateQueries({ queryKey: replyQueryKey(conversation) }),
        queries.invalidateQueries({ queryKey: briefQueryKey(conversation) }),
      ]);
    },
  });
}
