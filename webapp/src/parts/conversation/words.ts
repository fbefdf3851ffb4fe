/** The names that a plugin uses in the conversation's texts; all other texts are the same for every plugin. */
export type Words = {
  /** The title of the tab. */
  title: string;
  /** The list of conversations, and the link back to it. */
  list: string;
  listFailed: string;
  untitled: string;
  /** The button to start another one; null if it is elsewhere. */
  fresh: string | null;
  /** The button that opens the document of the conversation. */
  open: string;
  placeholder: string;
  /** Shown at the bottom, such as who must review the answers; empty for nothing. */
  note: string;
  /** Shown above the steps of a turn that reads a document; left out if the steps say enough. */
  processing?: string;
  loading: string;
  missing: string;
  failed: string;
  /** The title of the upload dialog if only the document of the conversation can be uploaded. */
  upload: string;
  /** The choice to replace that document; null if it cannot be replaced. */
  again: string | null;
};
