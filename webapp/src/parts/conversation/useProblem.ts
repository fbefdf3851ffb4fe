import { useQuery } from "@tanstack/react-query";
import { ApiError, meOptions, sentenceOf } from "@/lib/api";
import { isSpent } from "./useSpent";

/**
 * Returns the sentence for a message that was refused. "No use left" disappears once an account or Premium has added
 * uses.
 */
export function useProblem(error: Error | null, fallback: string): string | null {
  const me = useQuery({ ...meOptions(), enabled: error !== null }).data;
  if (error === null) return null;
  const mayAgain = me !== undefined && !isSpent(me);
  return error instanceof ApiError && error.code === "no_use_left" && mayAgain ? null : sentenceOf(error, fallback);
}
