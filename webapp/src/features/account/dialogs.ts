import { createContext, useContext } from "react";

/** What the account's dialogs show; null when none is open. */
export type Showing =
  | { what: "signIn" | "signUp"; then?: "subscribe" }
  | { what: "forgot" | "limit" | "firmLimit" | "subscribe" }
  | { what: "sent"; email: string; purpose: "confirm" | "reset" }
  | { what: "confirm" | "reset"; token: string };

export type Show = (showing: Showing | null) => void;

export const ShowDialog = createContext<Show>(() => undefined);

/** Opens the account's dialogs. */
export const useShowDialog = (): Show => useContext(ShowDialog);
