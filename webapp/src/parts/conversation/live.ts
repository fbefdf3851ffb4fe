import type { SnapshotEvent, TextEvent, Turn, TurnEvent } from "@/lib/api";

/** What the event stream has reported about the running turn. */
export type Live = {
  /** The turn as last reported; null before the first event. */
  turn: Turn | null;
  /** The text of the turn textOf so far. */
  text: string;
  textOf: string | null;
  /** closed: nothing to listen to. lost: the connection failed and is being opened again. */
  link: "closed" | "connecting" | "open" | "lost";
};

export type LiveEvent =
  | { type: "snapshot"; event: SnapshotEvent }
  | { type: "text"; event: TextEvent }
  | { type: "turn"; event: TurnEvent }
  | { type: "link"; link: Live["link"] }
  | { type: "forget" };

export const idle: Live = { turn: null, text: "", textOf: null, link: "closed" };

/** Returns the next state. A snapshot replaces the text; text of another turn starts again. */
export function live(state: Live, action: LiveEvent): Live {
  switch (action.type) {
    case "snapshot": {
      const { turn, text } = action.event;
      return { ...state, turn, text, textOf: turn?.id ?? null };
    }
    case "text": {
      const { turn_id: id, text } = action.event;
      return { ...state, text: state.textOf === id ? state.text + text : text, textOf: id };
    }
    case "turn": {
      const { turn } = action.event;
      return state.textOf === turn.id ? { ...state, turn } : { ...state, turn, text: "", textOf: turn.id };
    }
    case "link":
      return state.link === action.link ? state : { ...state, link: action.link };
    case "forget":
      return idle;
  }
}

/** Reports whether a turn is running or waits to start. */
export function isActive(turn: Turn | null | undefined): turn is Turn {
  return turn?.state === "queued" || turn?.state === "running";
}
