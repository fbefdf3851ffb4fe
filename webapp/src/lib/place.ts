/**
 * In whose workspace the page works: the address of a firm's begins with /firm/ and its id, and so do all routes of
 * the server there. It does not change while the page is open.
 */
const found = /^\/firm\/([0-9a-f-]{36})(?=\/|$)/.exec(window.location.pathname);

/** The firm whose workspace it is; null: the person's own. */
export const firmHere: string | null = found?.[1] ?? null;

/** What addresses here begin with, "" in one's own workspace. */
export const base: string = found?.[0] ?? "";

/** Where the app is in a firm, or with null in one's own workspace. */
export const appOf = (firm: string | null): string => (firm === null ? "/app" : `/firm/${firm}/app`);
