/**
 * The workspace of this page. In a firm, the page's address and all routes of the server begin with /firm/ and the
 * firm's id. It does not change while the page is open.
 */
const found = /^\/firm\/([0-9a-f-]{36})(?=\/|$)/.exec(window.location.pathname);

/** The firm of this workspace; null in the person's own. */
export const firmHere: string | null = found?.[1] ?? null;

/** How addresses in this workspace begin; "" in the person's own. */
export const base: string = found?.[0] ?? "";

/** Returns the app's path in a firm, or with null in the person's own workspace. */
export const appOf = (firm: string | null): string => (firm === null ? "/app" : `/firm/${firm}/app`);
