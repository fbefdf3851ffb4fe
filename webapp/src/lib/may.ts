import type { Acting, Me } from "@/lib/api";
import { firmHere } from "@/lib/place";

/** Something that a role may or may not do: see docs/practice.md. */
export type Right = NonNullable<Acting["rights"]>[number];

/**
 * Reports whether the person may do something in a firm, by default the current one. In their own workspace (null)
 * they may do everything.
 */
export const may = (me: Me | undefined, right: Right, firm = firmHere): boolean =>
  firm === null || me?.acting?.rights?.includes(right) === true;
