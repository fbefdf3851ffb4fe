import { hashKey, useMutation, useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { toast } from "sonner";
import { sentenceOf } from "@/lib/api";

type Change<Value> = {
  /** Has the server keep the value. */
  save: (value: Value) => Promise<unknown>;
  /** Where the value stands in what the server told us; it is read again once the value is kept, or was refused. */
  keys: QueryKey[];
  /** Writes the value there. */
  show: (queries: QueryClient, value: Value) => void;
  /** What to say where it could not be saved and the server does not say why. */
  failed: string;
};

/**
 * A change that shows at once wherever its value stands, before the server has answered. Where it cannot be saved it is
 * taken back, and the person is told. Changes of the same value are saved one after the other.
 */
export function useOptimistic<Value>({ save, keys, show, failed }: Change<Value>) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: keys,
    scope: { id: hashKey(keys) },
    mutationFn: save,
    // Nothing is awaited before the value is shown, since a checkbox would fall back to what it was.
    onMutate: (value: Value) => {
      // What was asked before would bring back what it was.
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
      // While another change waits, the server knows less than the person sees.
      if (queries.isMutating({ mutationKey: keys }) > 1) return;
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    },
  });
}
