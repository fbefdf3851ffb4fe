/** A piece of a message: the prompt's own words, or what came from outside with the lines that delimit it. */
export type Piece = { text: string; outside: boolean };

// The server makes the code from the text, so that the text cannot hold it: the first line that closes is the one.
const fence = /^<([a-z][a-z0-9_-]*-[0-9a-f]{12})>\n[\s\S]*?\n<\/\1>$/gm;

/** Finds in a user's message what came from outside; the pieces together are the message to the letter. */
export function material(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(fence)) {
    if (match.index > done) pieces.push({ text: text.slice(done, match.index), outside: false });
    pieces.push({ text: match[0], outside: true });
    done = match.index + match[0].length;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), outside: false });
  return pieces;
}
