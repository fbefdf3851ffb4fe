import { useMutation, useQuery, useQueryClient, type UseMutationOptions } from "@tanstack/react-query";
import { firmLogQueryKey, firmOptions, firmQueryKey, meOptions, type Firm } from "@/lib/api";

/** The firm with who works in it; undefined while it is not known. */
export function useFirm() {
  return useQuery(firmOptions());
}

/** A change of the firm, after which it is read again. */
export function useFirmChange<Input, Output = unknown>(options: UseMutationOptions<Output, Error, Input>) {
  const queries = useQueryClient();
  return useMutation({
    ...options,
    onSettled: (...all) => {
      for (const queryKey of [firmQueryKey(), firmLogQueryKey(), meOptions().queryKey])
        void queries.invalidateQueries({ queryKey });
      return options.onSettled?.(...all);
    },
  });
}

export type Member = NonNullable<Firm["members"]>[number];

/** The roles that somebody of a role may give: the owner any but their own, others what is below a partner. */
export function givenBy(role: string): ("partner" | "preparer" | "viewer")[] {
  if (role === "owner") return ["partner", "preparer", "viewer"];
  return role === "partner" || role === "preparer" ? ["preparer", "viewer"] : [];
}
