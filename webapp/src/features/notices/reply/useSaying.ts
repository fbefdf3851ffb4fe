import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { replyQueryKey, sayToPoint, type Reply, type ReplyPoint } from "@/lib/api";

/** What a person says to an allegation, as far as it is not known to be kept. */
export type Said = Partial<{ stance: ReplyPoint["stance"]; facts: string; documents: string[]; authorities: string[] }>;

// Typing is saved once the person has paused for this long.
const pause = 900;

const keyOf = (conversation: string, point: string) => `munshi.facts.${conversation}.${point}`;

/**
 * What is said to an allegation, saved by itself. What the person did last is what they see, whatever the server tells
 * meanwhile, until it is kept there; typed words also outlast a reload.
 */
export function useSaying(conversation: string, point: ReplyPoint) {
  const queries = useQueryClient();
  const key = keyOf(conversation, point.key);
  const [mine, setMine] = useState<Said>(() => {
    const facts = readTyped(key);
    return facts === null ? {} : { facts };
  });
  const [state, setState] = useState<"idle" | "saving" | "saved" | "failed">("idle");
  const [error, setError] = useState<unknown>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typing = useRef(false);
  const latest = useRef(mine);
  const set = useCallback((next: Said) => {
    latest.current = next;
    setMine(next);
  }, []);

  const { mutateAsync } = useMutation({
    // One after the other: what was said last is what is kept, and what comes back last is the newest.
    scope: { id: `reply-${conversation}` },
    mutationFn: async (said: Said) => (await sayToPoint({ path: { id: conversation }, body: { key: point.key, ...said }, throwOnError: true })).data,
  });

  const send = useCallback(
    async (said: Said) => {
      setState("saving");
      try {
        const reply = await mutateAsync(said);
        await queries.cancelQueries({ queryKey: replyQueryKey(conversation) });
        queries.setQueryData<Reply>(replyQueryKey(conversation), reply);
        if (said.facts !== undefined && said.facts === latest.current.facts) keepTyped(key, null);
        set(without(latest.current, said, typing.current));
        setState("saved");
      } catch (failure) {
        setError(failure);
        setState("failed");
      }
    },
    [conversation, key, mutateAsync, queries, set],
  );

  const flush = useCallback(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    const { facts } = latest.current;
    if (facts !== undefined) void send({ facts });
  }, [send]);
  useEffect(() => {
    // Words from before a reload are saved now.
    const { facts } = latest.current;
    if (facts !== undefined) void send({ facts });
    return flush;
  }, [flush, send]);

  return {
    /** What holds: what the person did last, and else what the server knows. */
    shown: { ...point, ...mine },
    state,
    error,
    /** Says it at once. */
    say: (said: Said) => {
      set({ ...latest.current, ...said });
      void send(said);
    },
    /** Says the facts once the person pauses. */
    type: (facts: string) => {
      typing.current = true;
      set({ ...latest.current, facts });
      keepTyped(key, facts);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        void send({ facts });
      }, pause);
    },
    /** The person has left the words that they typed. */
    leave: () => {
      typing.current = false;
      if (timer.current !== undefined) flush();
      else if (state === "saved") set(without(latest.current, latest.current, false));
    },
    again: () => {
      void send(latest.current);
    },
  };
}

/** What is left of what a person did once some of it is kept; words that are being typed stay as they are. */
export function without(mine: Said, kept: Said, typing: boolean): Said {
  const left: Said = { ...mine };
  if (kept.stance !== undefined && kept.stance === mine.stance) delete left.stance;
  if (kept.documents !== undefined && same(kept.documents, mine.documents)) delete left.documents;
  if (kept.authorities !== undefined && same(kept.authorities, mine.authorities)) delete left.authorities;
  if (!typing && kept.facts !== undefined && kept.facts === mine.facts) delete left.facts;
  return left;
}

const same = (a: string[], b: string[] | undefined) => a.length === b?.length && a.every((text, index) => text === b[index]);

function readTyped(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function keepTyped(key: string, facts: string | null): void {
  try {
    if (facts === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, facts);
  } catch {
    // Without storage they last until the page is left.
  }
}
