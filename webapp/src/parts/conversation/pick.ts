import { createContext, useContext } from "react";

/** Opens the upload dialog of a conversation for a document of a type; null where none can be handed in now. */
const Pick = createContext<((type: string) => void) | null>(null);

export const PickDocument = Pick;
export const usePickDocument = () => useContext(Pick);
