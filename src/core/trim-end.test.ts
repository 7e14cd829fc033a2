import { expect, test } from 'vitest';
import { restBelow } from './activity/path-places.ts';
import { canonicalFileChanges } from './state/file-changes.ts';
import { isValidDiff } from './state/unified-diff.ts';
import { trimEnd } from './trim-end.ts';

test.each([
  ['a\r\n\n', 'a'],
  ['\na\nb', '\na\nb'],
  ['\n\n', ''],
  ['', ''],
])('trimEnd() of %j', (text, left) => expect(trimEnd(text, '\r\n')).toBe(left));

const cpuMs = (run: () => unknown) => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
const run = (character: string) => `a${character.repeat(100_000)}b`;

test.each<[string, () => unknown]>([
  ['canonicalFileChanges()', () => canonicalFileChanges({ files: [{ path: 'x', change: 'added', newString: run('\n') }] })],
  ['isValidDiff()', () => isValidDiff(run('\r'))],
  ['restBelow() of a path', () => restBelow(`/x/${run('/')}`, '/x')],
  ['restBelow() a folder', () => restBelow('/x', run('/'))],
])('%s takes a run of ends in the middle of a text in its stride', (_title, call) => expect(cpuMs(call)).toBeLessThan(1_000));
