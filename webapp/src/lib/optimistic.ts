import { hashKey, useMutation, useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { toast } from "sonner";
import { sentenceOf } from "@/lib/api";

type Change<Value> = {
  /** Saves the value on the server. */
  save: (value: Value) => Promise<unknown>;
  /** The queries that have the value; they are loaded again once it is saved or refused. */
  keys: QueryKey[];
  /** Writes the value into these queries. */
  show: (queries: QueryClient, value: Value) => void;
  /** The sentence for a failure for which the server gave no reason. */
  failed: string;
};

/**
 * A change that is shown everywhere at once, before the server has answered. If it cannot be saved, it is undone and
 * the person is told. Changes of the same value are saved one after the other.
 */
export function useOptimistic<Value>({ save, keys, show, failed }: Change<Value>) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: keys,
    scope: { id: hashKey(keys) },
    mutationFn: save,
    // Nothing is awaited before the value is shown; otherwise a checkbox would briefly fall back to its old state.
    onMutate: (value: Value) => {
      // Running queries would bring back the old value.
      for (const queryKey of keys) void queries.cancelQueries({ queryKey });
      const before = keys.flatMap((queryKey) => queries.getQueriesData({ queryKey }));
      show(queries, value);
      return before.filter(([key, data]) => queries.getQueryData(key) !== data);
    },
    onError: (error, _, before = []) => {
      for (const [key, data] of before) queries.setQueryData(key, data);
      toast.error(sentenceOf(error, failed));
    },
    onSettled: () => {
      // While another change waits, the server does not have what the person sees.
      if (queries.isMutating({ mutationKey: keys }) > 1) return;
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    },
  });
}
