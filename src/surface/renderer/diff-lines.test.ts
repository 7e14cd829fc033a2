import { expect, test } from 'vitest';
import { countChanges, diffLines, type FileChange } from './diff-lines.ts';

const rows: [what: string, change: FileChange['change'], diff: string, lines: string[]][] = [
  ['a hunk with its numbers', 'modified', '@@ -3,3 +3,3 @@ fn\n a\n-b\n+c\n d\n', ['hunk - - @@ -3,3 +3,3 @@ fn', 'same 3 3 a', 'removed 4 - b', 'added - 4 c', 'same 5 5 d']],
  ['a hunk without counts', 'modified', '@@ -1 +1 @@\n-a\n+b\n', ['hunk - - @@ -1 +1 @@', 'removed 1 - a', 'added - 1 b']],
  ['no file headers', 'modified', 'diff --git a/x b/x\nindex 12..34 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', ['hunk - - @@ -1 +1 @@', 'removed 1 - a', 'added - 1 b']],
  ['a removed line that looks like a file header', 'modified', '@@ -1,2 +1 @@\n--- a\n b', ['hunk - - @@ -1,2 +1 @@', 'removed 1 - -- a', 'same 2 1 b']],
  ['a second hunk', 'modified', '@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d', ['hunk - - @@ -1 +1 @@', 'removed 1 - a', 'added - 1 b', 'hunk - - @@ -9 +9 @@', 'removed 9 - c', 'added - 9 d']],
  ['a missing line end as a note', 'modified', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b', ['hunk - - @@ -1 +1 @@', 'removed 1 - a', 'note - - \\ No newline at end of file', 'added - 1 b']],
  ['the bare text of a new file as added', 'added', 'a\n\nb\n', ['added - 1 a', 'added - 2 ', 'added - 3 b']],
  ['the bare text of a deleted file as removed', 'deleted', 'a\n', ['removed 1 - a']],
  ['a new file that comes as a diff', 'added', '@@ -0,0 +1 @@\n+a', ['hunk - - @@ -0,0 +1 @@', 'added - 1 a']],
  ['an empty line of a hunk that lost its space', 'modified', '@@ -1,2 +1,3 @@\n a\n\n+b', ['hunk - - @@ -1,2 +1,3 @@', 'same 1 1 a', 'same 2 2 ', 'added - 3 b']],
  ['text that is no diff as it is', 'modified', 'binary files differ', ['note - - binary files differ']],
  ['nothing as no line', 'modified', '', []],
];

test.each(rows)('diffLines() gives %s', (_what, change, diff, lines) => {
  expect(diffLines({ change, diff }).map(({ kind, oldNumber, newNumber, text }) => `${kind} ${oldNumber ?? '-'} ${newNumber ?? '-'} ${text}`)).toEqual(lines);
});

test('countChanges() counts added and removed lines', () => {
  expect(countChanges(diffLines({ change: 'modified', diff: '@@ -1,2 +1,1 @@\n-a\n-b\n+c' }))).toEqual({ added: 1, removed: 2 });
});
