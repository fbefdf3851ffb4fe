import { createContext, useCallback, useContext, useMemo, type ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";

/** A place in a document that is shown next to a conversation. */
export type Evidence = {
  /** Counted from 1; null if only the words are known, and the page must be searched. */
  page: number | null;
  /** The words to mark, as in the document's text; null opens only the page. */
  quote: string | null;
  /** Null is the notice, or whatever document the conversation is about. */
  documentId?: string | null;
  /** True if the words may not be in the document: if they are not found, the page is opened without a message. */
  loose?: boolean;
};

/**
 * Returns the address of a place, relative to the page that shows the document. The words come after the #, so that
 * they stay in the browser: servers and proxies log everything before it.
 */
export function evidenceUrl({ page, quote, documentId = null, loose = false }: Evidence): string {
  const search = new URLSearchParams();
  if (page !== null) search.set("page", String(page));
  if (documentId !== null) search.set("document", documentId);
  if (page === null) search.set("pane", "notice");
  return `?${search.toString()}${quote === null ? "" : `#${loose ? "near" : "mark"}=${encodeURIComponent(quote)}`}`;
}

/** Returns the place in the address, or null; key changes each time that one is opened, even the same one. */
export function useEvidence(): (Required<Evidence> & { key: string }) | null {
  const location = useLocation();
  const { search, hash } = location;
  const opened = placeIn(location.state) ?? location.key;
  return useMemo(() => {
    const params = new URLSearchParams(search);
    const number = Number(params.get("page"));
    const page = Number.isInteger(number) && number > 0 ? number : null;
    const loose = hash.startsWith("#near=");
    const quote = markIn(hash);
    return page === null && quote === null
      ? null
      : { page, quote, loose, documentId: params.get("document"), key: opened };
  }, [search, hash, opened]);
}

/** Navigations that open no place keep the key of the open one in their state. */
function placeIn(state: unknown): string | null {
  return typeof state === "object" && state !== null && "place" in state && typeof state.place === "string"
    ? state.place
    : null;
}

function markIn(hash: string): string | null {
  if (!/^#(mark|near)=/u.test(hash)) return null;
  try {
    const quote = decodeURIComponent(hash.slice(hash.indexOf("=") + 1)).trim();
    return quote === "" ? null : quote;
  } catch {
    return null; // cut off in the middle of a letter
  }
}

/** Undefined if no document is shown; else the document meant if none is named (null is the notice). */
const Shown = createContext<string | null | undefined>(undefined);

/** The address of the page that shows the document; "" for this one. */
const Where = createContext("");

/** Tells its children that the document is shown, here or on another page, and so can be opened at a place. */
export function WithEvidence({ page = "", children }: { page?: string; children: ReactNode }) {
  return (
    <Where value={page}>
      <Shown value={null}>{children}</Shown>
    </Where>
  );
}

/**
 * Tells its children that they are about a document other than the notice, if one is named and documents are shown
 * here.
 */
export function EvidenceOf({ documentId, children }: { documentId: string | null; children: ReactNode }) {
  const shown = useContext(Shown);
  return <Shown value={shown === undefined ? undefined : (documentId ?? shown)}>{children}</Shown>;
}

/** Returns a function that opens the document at a place with the words marked; null if no document is shown. */
export function useOpenEvidence(): ((evidence: Evidence) => void) | null {
  const shown = useContext(Shown);
  const navigate = useNavigate();
  const open = useCallback(
    (evidence: Evidence) => void navigate(evidenceUrl({ documentId: shown ?? null, ...evidence })),
    [navigate, shown],
  );
  return shown === undefined ? null : open;
}

type LinkProps = {
  evidence: Evidence;
  children: ReactNode;
  label?: string;
  /** True in running text, where the link should not stand out. */
  quiet?: boolean;
};

/** A link to a place in the document; plain text if no document is shown. */
export function EvidenceLink({ evidence, children, label, quiet = false }: LinkProps) {
  const shown = useContext(Shown);
  const where = useContext(Where);
  if (shown === undefined) return <>{children}</>;
  return (
    <Link
      to={where + evidenceUrl({ documentId: shown, ...evidence })}
      aria-label={label}
      className={quiet ? "evidence-link" : "text-accent underline underline-offset-2"}
    >
      {children}
    </Link>
  );
}
