import { useQuery } from "@tanstack/react-query";
import { meOptions, type Me } from "@/lib/api";

/** Reports whether somebody has no free use left, so that a new paper or question would be refused. */
export const isSpent = (me: Me) => me.limited && !me.premium && me.used >= me.free;

/** Reports whether the person has no free use left; not while that is not known. */
export function useSpent(): boolean {
  const me = useQuery(meOptions()).data;
  return me !== undefined && isSpent(me);
}
