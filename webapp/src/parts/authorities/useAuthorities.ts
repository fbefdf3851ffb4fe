import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  addAuthority,
  attachToAuthority,
  authoritiesOptions,
  authoritiesQueryKey,
  conversationQueryKey,
  removeAuthority,
  restoreAuthority,
  type NewAuthority,
} from "@/lib/api";

/** Loads the authorities of a conversation, with functions to change them. */
export function useAuthorities(id: string) {
  const queries = useQueryClient();
  const query = useQuery({
    ...authoritiesOptions(id),
    // A PDF is read within seconds after its upload.
    refetchInterval: ({ state }) => (state.data?.authorities?.some(({ reading }) => reading) === true ? 2_000 : false),
  });
  const onSettled = () =>
    // The PDFs are also in the conversation's list of documents.
    Promise.all(
      [authoritiesQueryKey(id), conversationQueryKey(id)].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  const add = useMutation({
    mutationFn: async (authority: NewAuthority) =>
      (await addAuthority({ path: { id }, body: authority, throwOnError: true })).data,
    onSettled,
  });
  const attach = useMutation({
    mutationFn: async ({ authority, file }: { authority: string; file: File }) => {
      await attachToAuthority({ path: { id, authority }, body: { file }, throwOnError: true });
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: async (authority: string) => {
      await removeAuthority({ path: { id, authority }, throwOnError: true });
    },
    onSettled,
  });
  const restore = useMutation({
    mutationFn: async (authority: string) => {
      await restoreAuthority({ path: { id, authority }, throwOnError: true });
    },
    onSettled,
  });
  return { query, add, attach, remove, restore };
}
