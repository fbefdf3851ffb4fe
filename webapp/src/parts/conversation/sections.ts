/**
 * Splits Markdown before each heading outside code, so that only the last section of text that streams in is parsed
 * again. The joined parts are the text.
 */
export function sections(markdown: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let position = 0;
  let fence: string | null = null;
  for (const line of markdown.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    } else if (fence === null && position > start && /^#{1,6}\s/.test(line)) {
      parts.push(markdown.slice(start, position));
      start = position;
    }
    position += line.length;
  }
  parts.push(markdown.slice(start));
  return parts;
}
