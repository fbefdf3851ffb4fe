import { createContext, useCallback, useContext, useMemo, type ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";

/** A place in a document that is shown beside a conversation. */
export type Evidence = {
  /** From 1; null when only the words are known, and the page is looked for. */
  page: number | null;
  /** The words to mark there, as the document's text has them; null opens the page alone. */
  quote: string | null;
  /** Null is the notice, or what else the conversation is about. */
  documentId?: string | null;
};

/**
 * The address of a place, from the page that shows the document. The words stand behind the #, so that they
 * stay in the browser: what stands before it, servers and proxies write into their logs.
 */
export function evidenceUrl({ page, quote, documentId = null }: Evidence): string {
  const search = new URLSearchParams();
  if (page !== null) search.set("page", String(page));
  if (documentId !== null) search.set("document", documentId);
  if (page === null) search.set("pane", "notice");
  return `?${search.toString()}${quote === null ? "" : `#mark=${encodeURIComponent(quote)}`}`;
}

/** The place that the address names, or null; key changes with each time that one is opened, the same one included. */
export function useEvidence(): (Required<Evidence> & { key: string }) | null {
  const location = useLocation();
  const { search, hash } = location;
  const opened = placeIn(location.state) ?? location.key;
  return useMemo(() => {
    const params = new URLSearchParams(search);
    const number = Number(params.get("page"));
    const page = Number.isInteger(number) && number > 0 ? number : null;
    const quote = markIn(hash);
    return page === null && quote === null ? null : { page, quote, documentId: params.get("document"), key: opened };
  }, [search, hash, opened]);
}

/** A change of the address that opens no place passes on the key of the one that is open, as its state. */
function placeIn(state: unknown): string | null {
  return typeof state === "object" && state !== null && "place" in state && typeof state.place === "string" ? state.place : null;
}

function markIn(hash: string): string | null {
  if (!hash.startsWith("#mark=")) return null;
  try {
    const quote = decodeURIComponent(hash.slice("#mark=".length)).trim();
    return quote === "" ? null : quote;
  } catch {
    return null; // cut off in the middle of a letter
  }
}

const Shown = createContext(false);

/** Says to what is inside that the document is shown here, and so can be opened at a place. */
export function WithEvidence({ children }: { children: ReactNode }) {
  return <Shown value={true}>{children}</Shown>;
}

/** Gives what opens the document at a place with the words marked; null where no document is shown. */
export function useOpenEvidence(): ((evidence: Evidence) => void) | null {
  const shown = useContext(Shown);
  const navigate = useNavigate();
  const open = useCallback((evidence: Evidence) => void navigate(evidenceUrl(evidence)), [navigate]);
  return shown ? open : null;
}

/** A link to a place in the document; where no document is shown, only its words. */
export function EvidenceLink({ evidence, children, label }: { evidence: Evidence; children: ReactNode; label?: string }) {
  const shown = useContext(Shown);
  if (!shown) return <>{children}</>;
  return (
    <Link to={evidenceUrl(evidence)} aria-label={label} className="text-accent underline underline-offset-2">
      {children}
    </Link>
  );
}
