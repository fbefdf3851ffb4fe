import { createContext, useContext } from "react";

/** The open dialog of the account; null if none is open. */
export type Showing =
  | { what: "signIn" | "signUp"; then?: "subscribe" }
  | { what: "forgot" | "limit" | "firmLimit" | "subscribe" }
  | { what: "sent"; email: string; purpose: "confirm" | "reset" }
  | { what: "confirm" | "reset"; token: string };

export type Show = (showing: Showing | null) => void;

export const ShowDialog = createContext<Show>(() => undefined);

/** Returns the function that opens a dialog of the account. */
export const useShowDialog = (): Show => useContext(ShowDialog);
