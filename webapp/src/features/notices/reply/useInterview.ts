import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  answerQuestion,
  ApiError,
  briefQueryKey,
  getInterview,
  interviewOptions,
  interviewQueryKey,
  replyQueryKey,
  type Interview,
  type InterviewQuestion,
} from "@/lib/api";
import type { Answer } from "@/parts/interview";

/** Loads the questions about a conversation's notice. */
export function useInterview(conversation: string) {
  return useQuery(interviewOptions(conversation));
}

/** The answer to the paragraph has changed since the person read it. */
export class ChangedElsewhere extends Error {
  constructor(readonly now: InterviewQuestion) {
    super("changed elsewhere");
  }
}

/** An answer, and the question as it was when the person began to answer. */
type Given = { answer: Answer; seen: InterviewQuestion };

// How often an answer is sent again if only something else in the paragraph has changed.
const tries = 5;

/** Finds a question by its key in the server's list. */
export const questionIn = (interview: Interview, key: string): InterviewQuestion | undefined =>
  (interview.questions ?? []).find((one) => one.key === key);

const isSame = (a: InterviewQuestion, b: InterviewQuestion): boolean =>
  (a.words ?? []).join("\n") === (b.words ?? []).join("\n");

/** Saves the answer to a question, and reloads what depends on it. */
export function useAnswering(conversation: string, key: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `interview ${conversation}` }, // one after the other, so that an older list never arrives last
    mutationFn: async ({ answer, seen }: Given) => {
      let { revision } = seen;
      for (let attempt = 1; ; attempt++) {
        try {
          const body = { key, ...answer, revision };
          return (await answerQuestion({ path: { id: conversation }, body, throwOnError: true })).data;
        } catch (failure) {
          if (!(failure instanceof ApiError && failure.code === "point_changed") || attempt === tries) throw failure;
          const { data } = await getInterview({ path: { id: conversation }, throwOnError: true });
          queries.setQueryData(interviewQueryKey(conversation), data);
          const now = questionIn(data, key);
          if (now === undefined) throw failure;
          if (!isSame(now, seen)) throw new ChangedElsewhere(now);
          ({ revision } = now);
        }
      }
    },
    onSuccess: async (interview) => {
      queries.setQueryData(interviewQueryKey(conversation), interview);
      await Promise.all([
        queries.invalidateQueries({ queryKey: replyQueryKey(conversation) }),
        queries.invalidateQueries({ queryKey: briefQueryKey(conversation) }),
      ]);
    },
  });
}
