/** A unified diff, or the whole text of a new or deleted file, as lines to show. */

export type FileChange = { path: string; change: 'added' | 'modified' | 'deleted'; diff: string };
export type DiffLine = { kind: 'hunk' | 'added' | 'removed' | 'same' | 'note'; text: string; oldNumber: number | null; newNumber: number | null };

/** The lines of one file. A new or deleted file may come as its bare text: all of it is then added or removed. */
export function diffLines({ change, diff }: Pick<FileChange, 'change' | 'diff'>): DiffLine[] {
  const lines = diff.replace(/\r?\n$/, '').split('\n');
  if (diff === '') return [];
  if (change !== 'modified' && !lines.some((line) => hunkHeader.test(line))) return bareLines(change, lines);
  return hunkLines(lines);
}

/** How many lines a diff adds and removes. */
export function countChanges(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
}

function bareLines(change: 'added' | 'deleted', lines: readonly string[]): DiffLine[] {
  return lines.map((text, index) =>
    change === 'added' ? { kind: 'added', text, oldNumber: null, newNumber: index + 1 } : { kind: 'removed', text, oldNumber: index + 1, newNumber: null },
  );
}

/** The counts of a hunk's header say which lines are its own: `--- a` inside a hunk is a removed line, before one a file header. */
function hunkLines(lines: readonly string[]): DiffLine[] {
  const shown: DiffLine[] = [];
  let place = { old: 0, new: 0, oldLeft: 0, newLeft: 0 };
  for (const line of lines) {
    const isInside = place.oldLeft > 0 || place.newLeft > 0;
    const header = isInside ? null : hunkHeader.exec(line);
    if (header) {
      place = placeOf(header);
      shown.push({ kind: 'hunk', text: line, oldNumber: null, newNumber: null });
    } else if (isInside) shown.push(takeLine(line, place));
    else if (!fileHeader.test(line)) shown.push({ kind: 'note', text: line, oldNumber: null, newNumber: null });
  }
  return shown;
}

function placeOf(header: RegExpExecArray): { old: number; new: number; oldLeft: number; newLeft: number } {
  const at = (index: number): number => Number(header[index] ?? '1');
  return { old: at(1), oldLeft: at(2), new: at(3), newLeft: at(4) };
}

function takeLine(line: string, place: { old: number; new: number; oldLeft: number; newLeft: number }): DiffLine {
  if (line.startsWith('\\')) return { kind: 'note', text: line, oldNumber: null, newNumber: null };
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
  const shown: DiffLine = { kind, text: line.slice(1), oldNumber: kind === 'added' ? null : place.old, newNumber: kind === 'removed' ? null : place.new };
  if (kind !== 'added') [place.old, place.oldLeft] = [place.old + 1, place.oldLeft - 1];
  if (kind !== 'removed') [place.new, place.newLeft] = [place.new + 1, place.newLeft - 1];
  return shown;
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const fileHeader = /^(?:diff --git |index [0-9a-f]|--- |\+\+\+ |(?:new|deleted) file mode |(?:old|new) mode |similarity index |rename (?:from|to) )/;
