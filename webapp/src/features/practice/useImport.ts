import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  boardQueryKey,
  chooseRegisterColumns,
  confirmRegisterImport,
  everyClientQueryKey,
  getRegisterImport,
  importRegister,
  mattersQueryKey,
  registerImportQueryKey,
  type RegisterImport,
} from "@/lib/api";

/** The possible outcomes of a row of a register, in the order in which they are shown. */
export const outcomes = [
  "new_client",
  "new_matter",
  "attached",
  "client",
  "known",
  "refused",
  "unclear",
  "left_out",
] as const;

export type Outcome = (typeof outcomes)[number];

const page = 50;

/** Reads a register that the firm kept before. Nothing is created yet. */
export function useRegisterFile() {
  return useMutation({
    mutationFn: async (file: File) => (await importRegister({ body: { file }, throwOnError: true })).data,
  });
}

/** A register that is being imported: its columns, and its rows page by page. */
export function useImport(id: string, what: Outcome | "") {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: [...registerImportQueryKey(id), what],
    queryFn: async ({ pageParam, signal }) =>
      (
        await getRegisterImport({
          path: { id },
          query: { ...(what === "" ? {} : { what }), skip: pageParam, most: page },
          signal,
          throwOnError: true,
        })
      ).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { rows }) => sum + (rows?.length ?? 0), 0);
      return shown < last.total && (last.rows?.length ?? 0) > 0 ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const again = () => queries.invalidateQueries({ queryKey: registerImportQueryKey(id) });
  const choose = useMutation({
    mutationFn: async (columns: Record<string, number>) =>
      (await chooseRegisterColumns({ path: { id }, body: { columns }, throwOnError: true })).data,
    onSuccess: again,
  });
  const confirm = useMutation({
    // The server imports for some seconds, and continues when it is asked again.
    mutationFn: async ({ leave, onProgress }: { leave: number[]; onProgress: (at: RegisterImport) => void }) => {
      for (;;) {
        const { data } = await confirmRegisterImport({ path: { id }, body: { leave }, throwOnError: true });
        onProgress(data);
        if (data.done) return data;
      }
    },
    onSettled: () =>
      Promise.all(
        [registerImportQueryKey(id), mattersQueryKey(), boardQueryKey(), everyClientQueryKey()].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
  return { query, choose, confirm };
}
