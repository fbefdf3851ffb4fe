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
  /**
   * Whether the words may not be the document's own: then the page is opened without a word where they are not found.
   */
  loose?: boolean;
};

/**
 * The address of a place, from the page that shows the document. The words stand behind the #, so that they
 * stay in the browser: what stands before it, servers and proxies write into their logs.
 */
export function evidenceUrl({ page, quote, documentId = null, loose = false }: Evidence): string {
  const search = new URLSearchParams();
  if (page !== null) search.set("page", String(page));
  if (documentId !== null) search.set("document", documentId);
  if (page === null) search.set("pane", "notice");
  return `?${search.toString()}${quote === null ? "" : `#${loose ? "near" : "mark"}=${encodeURIComponent(quote)}`}`;
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
    const loose = hash.startsWith("#near=");
    const quote = markIn(hash);
    return page === null && quote === null
      ? null
      : { page, quote, loose, documentId: params.get("document"), key: opened };
  }, [search, hash, opened]);
}

/** A change of the address that opens no place passes on the key of the one that is open, as its state. */
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

/** Undefined where no document is shown; else the one that is meant where none is named, null being the notice. */
const Shown = createContext<string | null | undefined>(undefined);

/** Says to what is inside that the document is shown here, and so can be opened at a place. */
export function WithEvidence({ children }: { children: ReactNode }) {
  return <Shown value={null}>{children}</Shown>;
}

/**
 * Says that what is inside speaks of another document than the notice, if one is named and documents are shown here.
 */
export function EvidenceOf({ documentId, children }: { documentId: string | null; children: ReactNode }) {
  const shown = useContext(Shown);
  return <Shown value={shown === undefined ? undefined : (documentId ?? shown)}>{children}</Shown>;
}

/** Gives what opens the document at a place with the words marked; null where no document is shown. */
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
  /** In running text, where it is not to stand out. */
  quiet?: boolean;
};

/** A link to a place in the document; where no document is shown, only its words. */
export function EvidenceLink({ evidence, children, label, quiet = false }: LinkProps) {
  const shown = useContext(Shown);
  if (shown === undefined) return <>{children}</>;
  return (
    <Link
      to={evidenceUrl({ documentId: shown, ...evidence })}
      aria-label={label}
      className={quiet ? "evidence-link" : "text-accent underline underline-offset-2"}
    >
      {children}
    </Link>
  );
}
