import type { Acting, Me } from "@/lib/api";
import { firmHere } from "@/lib/place";

/** What a role may do or not: see docs/practice.md. */
export type Right = NonNullable<Acting["rights"]>[number];

/** Whether somebody may do something in a firm, or here; in their own workspace (null) everything. */
export const may = (me: Me | undefined, right: Right, firm = firmHere): boolean =>
  firm === null || me?.acting?.rights?.includes(right) === true;
