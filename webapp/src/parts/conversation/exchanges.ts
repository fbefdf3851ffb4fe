import type { Message } from "@/lib/api";

/** A question as it was asked once, with its answer if there is one. */
export type Version = { turn: string; messages: Message[] };

/** A question and its answer; if it was asked again, it has several versions, the latest last. */
export type Exchange = { id: string; versions: Version[] };

/** Groups the messages of a conversation into exchanges, in order. */
export function exchanges(messages: Message[]): Exchange[] {
  const all: Exchange[] = [];
  for (const message of messages) {
    const { exchange: id, turn_id: turn } = message;
    let exchange = all.find((candidate) => candidate.id === id);
    if (exchange === undefined) all.push((exchange = { id, versions: [] }));
    const version = exchange.versions.find((candidate) => candidate.turn === turn);
    if (version === undefined) exchange.versions.push({ turn, messages: [message] });
    else version.messages.push(message);
  }
  return all;
}
