import { useQuery } from "@tanstack/react-query";
import { meOptions } from "@/lib/api";

/** Reports whether the person has no free use left, so that a new paper or question would be refused. */
export function useSpent(): boolean {
  const me = useQuery(meOptions()).data;
  return me !== undefined && me.limited && !me.premium && me.used >= me.free;
}
