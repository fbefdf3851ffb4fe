/** A piece of a message: text of the prompt, or text from outside with the two lines that delimit it. */
export type Piece = { text: string; outside: boolean };

// The server derives the code from the text, which therefore cannot contain it: the first closing line is the right
// one.
const fence = /^<([a-z][a-z0-9_-]*-[0-9a-f]{12})>\n[\s\S]*?\n<\/\1>$/gm;

/** Splits a user message into text from outside and the rest; together the pieces are the exact message. */
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
