import { expect, test } from 'vitest';
import { isValidDiff } from './unified-diff.ts';

const check = (text: string, isValid: boolean) => expect(isValidDiff(text)).toBe(isValid);
const lines = (...parts: string[]) => parts.join('\n');

test.each<[string, string, boolean]>([
  ['one hunk', '@@ -1 +1 @@\n-a\n+b\n', true],
  ['a heading behind the hunk', '@@ -1,2 +1,2 @@ main()\n x\n-a\n+b', true],
  ['line feeds at the end', '@@ -1 +1 @@\n-a\n+b\n\n\n', true],
  ['carriage returns', '@@ -1 +1 @@\r\n-a\r\n+b\r\n', true],
  ['headers of git', lines('diff --git a/x b/x', 'index 1..2 100644', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b', 'diff --git a/y b/y', 'new file mode 100644', '--- /dev/null', '+++ b/y', '@@ -0,0 +1,2 @@', '+a', '+b'), true],
  ['no newline at the end of file', lines('@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+b', '\\ No newline at end of file'), true],
  ['lines that look like headers inside a hunk', lines('@@ -1,1 +1,1 @@', '--- a', '+++ b'), true],
  ['two hunks', lines('@@ -1 +1 @@', '-a', '+b', '@@ -9 +9 @@', '-c', '+d'), true],
  ['no hunk', '--- a/x\n+++ b/x', false],
  ['a file body', 'hello\n', false],
  ['nothing', '', false],
  ['too few lines', '@@ -1,2 +1,2 @@\n-a\n+b', false],
  ['too many lines', '@@ -1 +1 @@\n-a\n+b\n+c', false],
  ['too few lines in the first hunk', lines('@@ -1,2 +1 @@', '-a', '+b', '@@ -9 +9 @@', '-c', '+d'), false],
  ['nothing but context', '@@ -1 +1 @@\n a', false],
  ['a foreign line inside a hunk', '@@ -1,2 +1,2 @@\n-a\n+b\nx', false],
  ['an empty line inside a hunk', lines('@@ -1,2 +1,2 @@', '-a', '', '+b', ' c'), false],
  ['a foreign line behind a hunk', '@@ -1 +1 @@\n-a\n+b\nend', false],
  ['a hunk without numbers', '@@\n-a\n+b', false],
  ['an apply-patch body', lines('*** Begin Patch', '*** Update File: x', '@@', ' x', '-a', '+b', '*** End Patch'), true],
  ['an apply-patch body that adds a file', lines('*** Begin Patch', '*** Add File: x', '+a', '*** End Patch'), true],
  ['an apply-patch body that deletes a file', lines('*** Begin Patch', '*** Delete File: x', '*** End Patch', ''), true],
  ['an apply-patch body without a file', lines('*** Begin Patch', '@@', '-a', '+b'), false],
  ['an apply-patch body with a foreign line in a hunk', lines('*** Begin Patch', '*** Update File: x', '@@', '-a', 'x'), false],
  ['an apply-patch body with an empty hunk', lines('*** Begin Patch', '*** Update File: x', '@@', '@@', '-a'), false],
])('isValidDiff() of %s', (_title, text, isValid) => check(text, isValid));
