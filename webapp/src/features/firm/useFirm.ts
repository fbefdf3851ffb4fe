import { useMutation, useQuery, useQueryClient, type UseMutationOptions } from "@tanstack/react-query";
import { firmLogQueryKey, firmOptions, firmQueryKey, meOptions, type Firm } from "@/lib/api";

/** Returns the firm with its members; undefined until it is loaded. */
export function useFirm() {
  return useQuery(firmOptions());
}

/** A mutation of the firm, after which the firm is loaded again. */
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

/**
 * Returns the roles that a member with this role may give: the owner any except owner, others only those below partner.
 */
export function givenBy(role: string): ("partner" | "preparer" | "viewer")[] {
  if (role === "owner") return ["partner", "preparer", "viewer"];
  return role === "partner" || role === "preparer" ? ["preparer", "viewer"] : [];
}
