/** Whether a text is a diff that can be applied, and not some file body under a diff's name (cassette-contract 7.8). */

import { trimEnd } from '../trim-end.ts';

/** A unified diff whose hunks hold exactly the lines they announce, or the body of an apply-patch call. */
export function isValidDiff(text: string): boolean {
  const lines = trimEnd(text, '\r\n').split(/\r?\n/);
  const isPatchBody = lines.includes(patchBegin) && lines.some((line) => patchFile.test(line));
  const hunks = readHunks(lines, isPatchBody);
  return hunks !== null && (isPatchBody || hunks > 0);
}

type Hunk = { oldLeft: number; newLeft: number; isCounted: boolean; changes: number };

/** How many hunks there are, all of them sound; `null` where one is not. */
function readHunks(lines: readonly string[], isPatchBody: boolean): number | null {
  let hunk: Hunk | null = null;
  let count = 0;
  for (const line of lines) {
    const isOpen: boolean = hunk !== null && (!hunk.isCounted || hunk.oldLeft > 0 || hunk.newLeft > 0);
    if (hunk && isOpen && takeLine(hunk, line)) continue;
    const next = openHunk(line, isPatchBody);
    if (next) {
      if (hunk && !isComplete(hunk)) return null;
      hunk = next;
      count++;
    } else if (hunk && line === noNewline) continue;
    else if (hunk && isHeader(line, isPatchBody)) {
      if (!isComplete(hunk)) return null;
      hunk = null;
    } else if (hunk && !isHeader(line, isPatchBody)) return null;
  }
  return hunk && !isComplete(hunk) ? null : count;
}

/** Counts a line into its hunk; `false` where it is none of the three kinds, or one more than was announced. */
function takeLine(hunk: Hunk, line: string): boolean {
  const kind = line[0];
  if (kind !== '+' && kind !== '-' && kind !== ' ') return false;
  if (hunk.isCounted) {
    if (kind !== '+' && hunk.oldLeft-- === 0) return false;
    if (kind !== '-' && hunk.newLeft-- === 0) return false;
  }
  if (kind !== ' ') hunk.changes++;
  return true;
}

function openHunk(line: string, isPatchBody: boolean): Hunk | null {
  const counted = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  if (counted) return { oldLeft: Number(counted[1] ?? 1), newLeft: Number(counted[2] ?? 1), isCounted: true, changes: 0 };
  return isPatchBody && line.startsWith('@@') ? { oldLeft: 0, newLeft: 0, isCounted: false, changes: 0 } : null;
}

function isComplete(hunk: Hunk): boolean {
  return hunk.changes > 0 && hunk.oldLeft === 0 && hunk.newLeft === 0;
}

function isHeader(line: string, isPatchBody: boolean): boolean {
  return gitHeader.test(line) || (isPatchBody && line.startsWith('*** '));
}

const patchBegin = '*** Begin Patch';
const patchFile = /^\*\*\* (?:Add|Delete|Update) File: /;
const noNewline = '\\ No newline at end of file';
const gitHeader = /^(?:diff --git |index |--- |\+\+\+ |old mode |new mode |deleted file mode |new file mode |copy (?:from|to) |rename (?:from|to) |similarity index |dissimilarity index |Binary files )/;
