import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { answerLink, ApiError, askedOptions } from "@/lib/api";
import { isSaid, type Answer } from "@/parts/interview";

/** An answer as stored in this browser, and whether the server has it. */
type Kept = { answer: Answer; sent: boolean };

// The server returns no answers, so that someone else who finds the link cannot read them. Typed text is stored in this
// browser, in case the connection fails or the page is closed.
const placeOf = (token: string) => `munshi.asked.${token.slice(0, 12)}`;

function read(token: string): Record<string, Kept> {
  try {
    return JSON.parse(localStorage.getItem(placeOf(token)) ?? "{}") as Record<string, Kept>;
  } catch {
    return {};
  }
}

function keep(token: string, answers: Record<string, Kept>) {
  try {
    localStorage.setItem(placeOf(token), JSON.stringify(answers));
  } catch {
    // Without storage, it lasts until the page is left.
  }
}

/** Removes the stored answers. */
function forget(token: string) {
  try {
    localStorage.removeItem(placeOf(token));
  } catch {
    // Nothing was stored.
  }
}

const pause = 1_200; // after the last key, before an answer is sent
const longest = 30_000; // longest wait between two attempts

/** Returns the questions of a link, and the answers, which are sent automatically and repeated until they arrive. */
export function useAsked(token: string) {
  const asked = useQuery({ ...askedOptions(token), enabled: token !== "" });
  const queries = useQueryClient();
  const [answers, setAnswers] = useState(() => read(token));
  const [failures, setFailures] = useState(0);
  // The phone may be somebody else's: what was typed does not outlast the link.
  const over = asked.error instanceof ApiError && asked.error.status === 404;
  useEffect(() => {
    if (over) forget(token);
  }, [over, token]);

  const change = useCallback(
    (next: (now: Record<string, Kept>) => Record<string, Kept>) => {
      setAnswers((now) => {
        const changed = next(now);
        keep(token, changed);
        return changed;
      });
    },
    [token],
  );
  const say = (key: string, answer: Answer) => {
    setFailures(0);
    change((now) => ({ ...now, [key]: { answer, sent: false } }));
  };

  const open = (asked.data?.questions ?? []).map(({ key }) => key);
  const waiting = Object.keys(answers).find((key) => answers[key]?.sent === false && open.includes(key));
  const kept = waiting === undefined ? undefined : answers[waiting];
  useEffect(() => {
    if (waiting === undefined || kept === undefined) return;
    let left = false;
    const send = async () => {
      try {
        const body = { key: waiting, ...kept.answer };
        const { data } = await answerLink({ body, headers: { "Munshi-Link": token }, throwOnError: true });
        queries.setQueryData(askedOptions(token).queryKey, data);
        if (left) return;
        setFailures(0);
        change((now) => (now[waiting] === kept ? { ...now, [waiting]: { ...kept, sent: true } } : now));
      } catch (failure) {
        if (left) return;
        const refused =
          failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 429;
        if (refused) {
          void queries.invalidateQueries({ queryKey: askedOptions(token).queryKey });
          change((now) => Object.fromEntries(Object.entries(now).filter(([key]) => key !== waiting)));
        } else setFailures((now) => now + 1);
      }
    };
    const timer = setTimeout(
      () => void send(),
      failures === 0 ? pause : Math.min(longest, 2_000 * 2 ** (failures - 1)),
    );
    const now = () => {
      clearTimeout(timer);
      void send();
    };
    const leave = () => {
      if (document.visibilityState === "hidden") now();
    };
    window.addEventListener("online", now);
    document.addEventListener("visibilitychange", leave);
    return () => {
      left = true;
      clearTimeout(timer);
      window.removeEventListener("online", now);
      document.removeEventListener("visibilitychange", leave);
    };
  }, [waiting, kept, failures, token, change, queries]);

  return {
    asked,
    say,
    answerTo: (key: string): Answer => answers[key]?.answer ?? { holds: "", words: [], unknown: false },
    /** Returns the status of an answer, which may also have been given in another browser. */
    stateOf: (key: string, answered: boolean): "none" | "waiting" | "failing" | "sent" => {
      const own = answers[key];
      if (own === undefined || (!isSaid(own.answer) && own.sent)) return answered ? "sent" : "none";
      if (own.sent) return "sent";
      return failures > 0 ? "failing" : "waiting";
    },
  };
}
