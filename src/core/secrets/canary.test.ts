import { expect, test } from 'vitest';
import { disguises } from '../../../fixtures/secrets/disguises.ts';
import { harmlessTexts } from '../../../fixtures/secrets/harmless.ts';
import { isSearchedCanary } from './canary.ts';
import { createSecretScan, scanText } from './scan.ts';

const values = ['correct-horse-7-battery', 'p@ss/w0rd+"quoted"\\slash', 'Jürgen.Maßmann', 'build-box-17', 'nightingale', 'line one of it\nline two of it', 'margarete', 'x'.repeat(40) + 'Y7'.repeat(300)];

/** The findings of one text with one canary. */
function check(pieces: readonly string[], value: string): string[] {
  const found: string[] = [];
  const scan = createSecretScan({ canaries: [{ name: 'SERVICE_KEY', value }], report: ({ is }) => found.push(is) });
  pieces.forEach((piece) => scan.stream('a').push(Buffer.from(piece), { file: 'f', line: 1 }));
  scan.end();
  return found;
}

test.each(disguises)('createSecretScan() finds known values $name', ({ pieces }) => {
  const missed = values.filter((value) => !check(pieces(value), value).some((is) => is.includes('SERVICE_KEY')));
  expect(missed).toEqual([]);
});

test('createSecretScan() finds a user name only as a word of its own', () => {
  expect(check(['/home/ada/work'], 'ada')).toHaveLength(1);
  expect(check(['an adapter, Canada, ada_x'], 'ada')).toEqual([]);
  expect(check(['C:\\Users\\nina\\work'], 'nina')).toHaveLength(1);
  expect(check([JSON.stringify('C:\\Users\\nina\\work')], 'nina')).toHaveLength(1);
  expect(check([JSON.stringify({ a: 'one\nnina' })], 'nina')).toHaveLength(1);
});

test('createSecretScan() finds a short value in base64 at every position', () => {
  for (const value of ['hunter', 'hunter22', 'margarete'])
    for (const before of ['', 'a', 'ab', '\u0000\u0001\u0002'])
      for (const form of ['base64', 'base64url'] as const) expect(check([`x=${Buffer.from(`${before}${value}?`).toString(form)}`], value)).toHaveLength(1);
});

test('createSecretScan() reports a known value that is also a token once, by its name', () => {
  const value = `sk${'-proj-'}${'Ab3_'.repeat(12)}`;
  expect(check([`key: ${value}`], value)).toEqual(['it holds the value of SERVICE_KEY of the recording machine (rule known-value)']);
});

test('createSecretScan() does not name a canary by its own value', () => {
  expect(JSON.stringify(scanText('it is correct-horse-7', [{ name: 'correct-horse-7', value: 'correct-horse-7' }]))).not.toContain('horse');
});

test('createSecretScan() does not look for short or common values', () => {
  expect(['', ' ', 'ab', 'root', 'localhost', 'true', 'Test', 'ubuntu', '1234', '10.1', 'default'].filter(isSearchedCanary)).toEqual([]);
  expect(['ada', 'build-7', '123456', 'hunter2'].filter((value) => !isSearchedCanary(value))).toEqual([]);
});

test('createSecretScan() finds no known value in texts without it', () => {
  const canaries = [...values, 'ada', 'hunter', 'zoe-laptop'].map((value, i) => ({ name: `value ${i}`, value }));
  expect(harmlessTexts(9).filter((text) => scanText(text, canaries).length > 0)).toEqual([]);
});
