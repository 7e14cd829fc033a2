/** Another manifest hash for a cassette of a `case.json`, and not one byte else. */

import { Buffer } from 'node:buffer';

/** Replaces `manifestSha256` of the entries at these places of `cassettes`; `null` where one of them is not written there. */
export function replacePins(text: Buffer, options: { indexes: readonly number[]; manifestSha256: string }): Buffer | null {
  // One character for each byte, so that places in the text are places in the file.
  const source = text.toString('latin1');
  const spans = pinSpans(source).filter(({ index }) => options.indexes.includes(index));
  if (options.indexes.some((index) => !spans.some((span) => span.index === index))) return null;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    pieces.push(text.subarray(from, start), Buffer.from(`"${options.manifestSha256}"`));
    from = end;
  }
  return Buffer.concat([...pieces, text.subarray(from)]);
}

type Span = { index: number; start: number; end: number };
type Open = { isList: boolean; key: string; index: number };

// Of a member that stands twice both values are found: every reader shall see the same one.
function pinSpans(text: string): Span[] {
  const spans: Span[] = [];
  const open: Open[] = [];
  for (const { at, end } of tokensOf(text)) {
    const top = open.at(-1);
    const character = text[at] as string;
    if (character === '{' || character === '[') open.push({ isList: character === '[', key: '', index: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && top?.isList) top.index++;
    else if (character === '"' && top && !top.isList && isColonNext(text, end)) top.key = JSON.parse(text.slice(at, end)) as string;
    else if (character === '"' && isPin(open)) spans.push({ index: open[1]?.index ?? 0, start: at, end });
  }
  return spans;
}

function isPin(open: readonly Open[]): boolean {
  const [root, list, entry] = open;
  return open.length === 3 && root?.key === 'cassettes' && list?.isList === true && entry?.isList === false && entry.key === 'manifestSha256';
}

function* tokensOf(text: string): Generator<{ at: number; end: number }> {
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/gs)) yield { at: index, end: index + token.length };
}

function isColonNext(text: string, from: number): boolean {
  return /^\s*:/.test(text.slice(from, from + 256));
}
