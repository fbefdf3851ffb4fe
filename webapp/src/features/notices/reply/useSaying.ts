import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { ApiError, getReply, replyQueryKey, sayToPoint, type Reply, type ReplyPoint } from "@/lib/api";
import { useKept } from "@/parts/draft";

/** What a person says to an allegation, as far as it is not known to be saved. */
export type Said = Partial<{ stance: ReplyPoint["stance"]; facts: string; documents: string[]; authorities: string[] }>;

// Typed text is saved when the person has paused for this long.
const pause = 900;

/** The server's answer to an allegation when the person began to change it; `said` is null if it is unknown. */
type Seen = { revision: number; said: Required<Said> | null };

/** The answer to an allegation has been changed elsewhere since the person saw it. */
class Contested extends Error {
  constructor(
    readonly now: ReplyPoint,
    readonly fields: (keyof Said)[],
  ) {
    super("changed elsewhere");
  }
}

// How often a save is repeated if somebody else has changed other parts of the answer.
const tries = 5;

/**
 * Saves the answer to an allegation automatically. The person sees what they did last, even if the server sends
 * something else, until it is saved; typed text also survives a reload. If the same part was changed elsewhere, the
 * person chooses before anything is overwritten.
 */
export function useSaying(conversation: string, point: ReplyPoint) {
  const { t } = useTranslation("draft");
  const queries = useQueryClient();
  const [kept, keep] = useKept(conversation, point.key);
  const [mine, setMine] = useState<Said>(() => (kept === null ? {} : { facts: kept.text }));
  const [state, setState] = useState<"idle" | "saving" | "saved" | "failed">("idle");
  const [error, setError] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<Contested | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typing = useRef(false);
  const latest = useRef(mine);
  const seen = useRef<Seen>(kept === null ? seenIn(point) : { revision: kept.revision, said: null });
  const set = useCallback((next: Said) => {
    latest.current = next;
    setMine(next);
  }, []);
  /** Takes the server's state as what the person has seen, unless they are changing a part that differs. */
  const see = useCallback((now: ReplyPoint, sent: Said) => {
    const fields = contested({ ...latest.current, ...sent }, seen.current, now);
    if (fields.length > 0) throw new Contested(now, fields);
    seen.current = seenIn(now);
  }, []);

  const { mutateAsync } = useMutation({
    // One after the other, so that the last change is saved last, and the last response is the newest.
    scope: { id: `reply-${conversation}` },
    mutationFn: async (said: Said) => {
      for (let attempt = 1; ; attempt++) {
        try {
          const { data } = await sayToPoint({
            path: { id: conversation },
            body: { key: point.key, ...said, revision: seen.current.revision },
            throwOnError: true,
          });
          const now = pointIn(data, point.key);
          if (now !== undefined) {
            // What was just saved is the person's own.
            const { revision, said: was } = seen.current;
            seen.current = { revision, said: { ...(was ?? saidIn(now)), ...only(saidIn(now), Object.keys(said)) } };
            see(now, {});
          }
          return data;
        } catch (failure) {
          if (!(failure instanceof ApiError && failure.code === "point_changed") || attempt === tries) throw failure;
          const { data } = await getReply({ path: { id: conversation }, throwOnError: true });
          queries.setQueryData<Reply>(replyQueryKey(conversation), data);
          const now = pointIn(data, point.key);
          if (now === undefined) throw failure;
          see(now, said);
        }
      }
    },
  });

  const send = useCallback(
    async (said: Said) => {
      setState("saving");
      try {
        const reply = await mutateAsync(said);
        await queries.cancelQueries({ queryKey: replyQueryKey(conversation) });
        queries.setQueryData<Reply>(replyQueryKey(conversation), reply);
        const { facts } = latest.current;
        if (said.facts !== undefined)
          keep(facts === undefined || facts === said.facts ? null : { text: facts, revision: seen.current.revision });
        set(without(latest.current, said, typing.current));
        setState("saved");
      } catch (failure) {
        if (failure instanceof Contested) {
          setTheirs(failure);
          setState("idle");
          return;
        }
        setError(failure);
        setState("failed");
      }
    },
    [conversation, keep, mutateAsync, queries, set],
  );

  const flush = useCallback(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    const { facts } = latest.current;
    if (facts !== undefined) void send({ facts });
  }, [send]);
  useEffect(() => {
    // Text typed before a reload is saved now.
    const { facts } = latest.current;
    if (facts !== undefined) void send({ facts });
    return flush;
  }, [flush, send]);

  /** A change starts from what the person sees, unless another change of theirs is already being saved. */
  const begin = () => {
    if (Object.keys(latest.current).length === 0) seen.current = seenIn(point);
  };
  const say = (said: Said) => {
    begin();
    set({ ...latest.current, ...said });
    void send(said);
  };
  /** Ends the choice between the two answers; later changes start from this one. */
  const settle = (now: ReplyPoint) => {
    seen.current = seenIn(now);
    setTheirs(null);
    typing.current = false;
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  return {
    /** The answer to show: what the person did last, or else the server's. */
    shown: { ...point, ...mine },
    state,
    error,
    /** What was changed both here and elsewhere, for the person to choose; null if nothing. */
    conflict:
      theirs === null
        ? null
        : {
            mine: only(mine, theirs.fields),
            theirs: only(saidIn(theirs.now), theirs.fields),
            keepMine: () => {
              settle(theirs.now);
              void send(latest.current);
            },
            /** Drops the person's own answer; for a while it can be restored. */
            takeTheirs: () => {
              const gone = only(latest.current, theirs.fields);
              const left = only(
                latest.current,
                Object.keys(latest.current).filter((field) => !(field in gone)),
              );
              settle(theirs.now);
              if (gone.facts !== undefined) keep(null);
              set(left);
              if (Object.keys(left).length > 0) void send(left);
              toast(t("tookTheirs"), {
                duration: 30_000,
                action: {
                  label: t("undo"),
                  onClick: () => {
                    set({ ...latest.current, ...gone });
                    void send(gone);
                  },
                },
              });
            },
          },
    /** Saves a change at once. */
    say,
    /** Saves the facts once the person pauses. */
    type: (facts: string) => {
      begin();
      typing.current = true;
      set({ ...latest.current, facts });
      keep({ text: facts, revision: seen.current.revision });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        void send({ facts });
      }, pause);
    },
    /** The text field has lost the focus. */
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

const pointIn = (reply: Reply, key: string) => reply.points?.find((point) => point.key === key);

/** The person's own answer to an allegation, as the server has it. */
const saidIn = ({ stance, facts, facts_proposed: proposed, documents, authorities }: ReplyPoint): Required<Said> => ({
  stance,
  facts: proposed ? "" : facts,
  documents: documents ?? [],
  authorities: authorities ?? [],
});

const seenIn = (point: ReplyPoint): Seen => ({ revision: point.revision, said: saidIn(point) });

/** The parts of the person's change that somebody else has changed since the person saw them. */
export function contested(mine: Said, { said: was }: Seen, now: ReplyPoint): (keyof Said)[] {
  const is = saidIn(now);
  return (Object.keys(mine) as (keyof Said)[]).filter(
    (field) => !equal(mine[field], is[field]) && (was === null || !equal(was[field], is[field])),
  );
}

const only = (said: Said, fields: string[]): Said =>
  Object.fromEntries(Object.entries(said).filter(([field]) => fields.includes(field)));

/** Reports whether both are the same; the server trims texts. */
const equal = (a: string | string[] | undefined, b: string | string[]) =>
  typeof a === "string" && typeof b === "string" ? a.trim() === b.trim() : JSON.stringify(a) === JSON.stringify(b);

/** What remains of a change after some of it was saved; text that is being typed stays. */
export function without(mine: Said, kept: Said, typing: boolean): Said {
  const left: Said = { ...mine };
  if (kept.stance !== undefined && kept.stance === mine.stance) delete left.stance;
  if (kept.documents !== undefined && same(kept.documents, mine.documents)) delete left.documents;
  if (kept.authorities !== undefined && same(kept.authorities, mine.authorities)) delete left.authorities;
  if (!typing && kept.facts !== undefined && kept.facts === mine.facts) delete left.facts;
  return left;
}

const same = (a: string[], b: string[] | undefined) =>
  a.length === b?.length && a.every((text, index) => text === b[index]);
