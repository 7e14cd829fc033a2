/** Two values side by side: the change is marked, and what cannot be seen is named (interface.md, first screen). */

export type Marked = { recorded: string; live: string; note: string | null };

export function diagnose(recorded: string | null, live: string | null): Marked {
  if (recorded === null || live === null) return { recorded: shown(recorded), live: shown(live), note: null };
  const { start, endRecorded, endLive } = changedPart(recorded, live);
  const from = Math.max(0, start - contextLength);
  return {
    recorded: mark(recorded, from, start, endRecorded),
    live: mark(live, from, start, endLive),
    note: invisible(recorded.slice(start, endRecorded), live.slice(start, endLive)),
  };
}

function changedPart(a: string, b: string): { start: number; endRecorded: number; endLive: number } {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  if (isInsidePair(a, start) || isInsidePair(b, start)) start--;
  let back = 0;
  while (back < a.length - start && back < b.length - start && a[a.length - 1 - back] === b[b.length - 1 - back]) back++;
  if (isInsidePair(a, a.length - back) || isInsidePair(b, b.length - back)) back--;
  return { start, endRecorded: a.length - back, endLive: b.length - back };
}

// Two emoji often share their first half; a half alone shows as nothing.
function isInsidePair(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

function mark(text: string, from: number, start: number, end: number): string {
  const before = `${from > 0 ? '…' : ''}${text.slice(from, start)}`;
  const part = text.slice(start, end);
  const after = text.slice(end, end + contextLength);
  return `"${before}[${part}]${after}${end + contextLength < text.length ? '…' : ''}"`;
}

function invisible(recorded: string, live: string): string | null {
  const names = [...new Set([...recorded, ...live])].flatMap((c) => (invisibleNames[c] ? [invisibleNames[c]] : []));
  const isOnlyInvisible = [...recorded, ...live].every((c) => invisibleNames[c] !== undefined);
  if (names.length > 0 && isOnlyInvisible) return `only invisible characters differ: ${names.join(', ')}`;
  if (recorded !== live && recorded.normalize('NFC') === live.normalize('NFC')) return 'the same letters in another Unicode form';
  return null;
}

function shown(text: string | null): string {
  return text === null ? '(nothing)' : text;
}

const invisibleNames: { [character: string]: string } = {
  ' ': 'space',
  '\t': 'tab',
  '\n': 'line feed',
  '\r': 'carriage return',
  '\u00a0': 'no-break space',
  '\u200b': 'zero width space',
  '\u200d': 'zero width joiner',
  '\ufeff': 'byte order mark',
};
const contextLength = 24;
