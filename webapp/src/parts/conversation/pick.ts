import { createContext, useContext } from "react";

/** Opens the upload dialog of a conversation for a document type; null if nothing can be uploaded now. */
const Pick = createContext<((type: string) => void) | null>(null);

export const PickDocument = Pick;
export const usePickDocument = () => useContext(Pick);
