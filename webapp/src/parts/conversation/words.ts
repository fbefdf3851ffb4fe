/** What a plugin calls its own things; everything else reads the same in all of them. */
export type Words = {
  /** The tab. */
  title: string;
  /** The conversations so far, and the way back to them. */
  list: string;
  listFailed: string;
  untitled: string;
  /** The way to begin another one; null where it stands elsewhere. */
  fresh: string | null;
  /** Opens the document that the conversation is about. */
  open: string;
  placeholder: string;
  /** Stands at the foot, such as who has to review the answers; empty for nothing. */
  note: string;
  /** Stands above the steps of a turn that reads a document; left out where they say enough. */
  processing?: string;
  loading: string;
  missing: string;
  failed: string;
  /** The upload dialog where only the document that a conversation is about can be meant. */
  upload: string;
  /** The choice of that document in a conversation that has one; null where it cannot be replaced. */
  again: string | null;
};
