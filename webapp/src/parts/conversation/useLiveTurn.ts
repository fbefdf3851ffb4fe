import { useEffect, useReducer, useSyncExternalStore } from "react";
import { useQueryClient } from "@tanstack/react-query";
import {
  conversationQueryKey,
  conversationsQueryKey,
  type SnapshotEvent,
  type TextEvent,
  type Turn,
  type TurnEvent,
} from "@/lib/api";
import { base } from "@/lib/place";
import { idle, isActive, live, type Live } from "./live";

// The server pings more often than this; a longer silence means that the connection is dead.
const silence = 45_000;
// While the stream is down, the server is polled instead, so that an answer is never missed.
const poll = 4_000;
const longestPause = 15_000;

/**
 * Follows a conversation's running turn. `turn` is the latest turn in the loaded conversation. The stream is open only
 * while that turn is running and the tab is visible, since browsers allow six connections to a server; after a failure
 * it reconnects.
 */
export function useLiveTurn(conversationId: string, turn: Turn | null): Live {
  const [state, dispatch] = useReducer(live, idle);
  const queries = useQueryClient();
  const visible = useVisible();
  const active = isActive(turn);
  const turnId = turn?.id;

  useEffect(() => {
    if (!active) dispatch({ type: "forget" });
  }, [active]);

  useEffect(() => {
    if (!active || !visible) return;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let finished = 0;

    const refresh = () => {
      void queries.invalidateQueries({ queryKey: conversationQueryKey(conversationId) });
      void queries.invalidateQueries({ queryKey: conversationsQueryKey() });
    };
    const open = () => {
      source?.close();
      const current = new EventSource(`${base}/api/conversations/${encodeURIComponent(conversationId)}/events`);
      source = current;
      const heard = () => {
        failures = 0;
        clearTimeout(timer);
        timer = setTimeout(lost, silence);
        dispatch({ type: "link", link: "open" });
      };
      const settle = (last: Turn | null) => {
        if (last === null) return;
        clearTimeout(timer);
        current.close();
        dispatch({ type: "link", link: "closed" });
        refresh();
      };
      // A finished step may have stored something to show, such as the facts of a notice.
      const finish = (last: Turn | null) => {
        const done = (last?.steps ?? []).filter((step) => step.state === "done").length;
        if (done > finished) refresh();
        finished = done;
      };
      current.onopen = heard;
      current.addEventListener("ping", heard);
      current.addEventListener("snapshot", (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as SnapshotEvent;
        heard();
        dispatch({ type: "snapshot", event });
        if (isActive(event.turn)) finish(event.turn);
        else settle(event.turn);
      });
      current.addEventListener("text", (message: MessageEvent<string>) => {
        heard();
        dispatch({ type: "text", event: JSON.parse(message.data) as TextEvent });
      });
      current.addEventListener("turn", (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as TurnEvent;
        heard();
        dispatch({ type: "turn", event });
        if (isActive(event.turn)) finish(event.turn);
        else settle(event.turn);
      });
      current.onerror = () => {
        dispatch({ type: "link", link: "lost" });
        // Otherwise the browser reconnects by itself, from the last event it got.
        if (current.readyState === EventSource.CLOSED) lost();
      };
    };
    const lost = () => {
      dispatch({ type: "link", link: "lost" });
      source?.close();
      clearTimeout(timer);
      timer = setTimeout(open, Math.min(longestPause, 1_000 * 2 ** failures));
      failures += 1;
    };

    dispatch({ type: "link", link: "connecting" });
    open();
    return () => {
      clearTimeout(timer);
      source?.close();
      dispatch({ type: "link", link: "closed" });
    };
  }, [active, visible, conversationId, turnId, queries]);

  const deaf = active && visible && state.link !== "open";
  useEffect(() => {
    if (!deaf) return;
    const timer = setInterval(() => {
      void queries.invalidateQueries({ queryKey: conversationQueryKey(conversationId) });
    }, poll);
    return () => {
      clearInterval(timer);
    };
  }, [deaf, conversationId, queries]);

  return active ? state : idle;
}

function useVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => {
        document.removeEventListener("visibilitychange", listener);
      };
    },
    () => document.visibilityState === "visible",
  );
}
