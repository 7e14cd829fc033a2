/** Parts a message into prose and fenced code blocks; nothing else of Markdown is read. */

export type TextPart = { kind: 'prose' | 'code'; text: string };

/** The parts in order, none of them empty of everything. A fence that has no end yet reaches to the end of the text. */
export function splitFences(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let part: { kind: TextPart['kind']; lines: string[]; fence: number } = { kind: 'prose', lines: [], fence: 0 };
  const turnTo = (kind: TextPart['kind'], fence: number): void => {
    parts.push({ kind: part.kind, text: part.lines.join('\n') });
    part = { kind, lines: [], fence };
  };
  for (const line of text.split('\n')) {
    const ticks = fenceAt(line, part.fence);
    if (ticks === 0) part.lines.push(line);
    else if (part.kind === 'prose') turnTo('code', ticks);
    else turnTo('prose', 0);
  }
  turnTo('prose', 0);
  return parts.map(trimProse).filter((one) => one.text !== '');
}

/** The number of backticks where the line opens a block (`open` is 0), or closes the one that `open` backticks opened. */
function fenceAt(line: string, open: number): number {
  const match = (open === 0 ? opening : closing).exec(line);
  const ticks = match?.[1]?.length ?? 0;
  return ticks >= Math.max(open, 3) ? ticks : 0;
}

// The empty lines around a block are its own margin.
function trimProse(part: TextPart): TextPart {
  return part.kind === 'prose' ? { kind: 'prose', text: part.text.replace(/^\n+/, '').trimEnd() } : part;
}

// The info string may hold no backtick: a line of inline code opens no block.
const opening = /^ {0,3}(`{3,})[^`]*$/;
const closing = /^ {0,3}(`{3,})[ \t]*$/;
