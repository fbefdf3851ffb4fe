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

/** What is asked about a conversation's notice. */
export function useInterview(conversation: string) {
  return useQuery(interviewOptions(conversation));
}

/** The paragraph that is asked about says something else by now than what the person had read. */
export class ChangedElsewhere extends Error {
  constructor(readonly now: InterviewQuestion) {
    super("changed elsewhere");
  }
}

/** An answer, and the question as it stood when the person began to answer. */
type Given = { answer: Answer; seen: InterviewQuestion };

// An answer that meets changes of the paragraph that are of something else is sent again this often.
const tries = 5;

/** The question of a key, in a list as the server has it. */
export const questionIn = (interview: Interview, key: string): InterviewQuestion | undefined =>
  (interview.questions ?? []).find((one) => one.key === key);

const isSame = (a: InterviewQuestion, b: InterviewQuestion): boolean =>
  (a.words ?? []).join("\n") === (b.words ?? []).join("\n");

/** Keeps the answer to one question; what it decides, here, in the reply and in the brief, is read anew. */
export function useAnswering(conversation: string, key: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `interview ${conversation}` }, // one after the other, so that an older list is never the last one
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
