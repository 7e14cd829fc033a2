import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { makeFolder, removeFolders } from './fixtures/tapes.ts';
import { LineReader, readOnce } from './read-once.ts';

afterEach(removeFolders);

type Make = (path: string) => void;
const file = (text: string): Make => (path) => writeFileSync(path, text);

const check = (make: Make, problem: string | null, whileReading: Make = () => {}) => {
  const path = join(makeFolder(), 'file');
  make(path);
  const blocks: Buffer[] = [];
  const result = readOnce(path, {
    maxBytes: 1_000_000,
    take(block) {
      if (blocks.length === 0) whileReading(path);
      blocks.push(Buffer.from(block));
    },
  });
  expect('problem' in result ? result.problem : null).toBe(problem);
  const bytes = Buffer.concat(blocks);
  if (!('problem' in result)) expect(result).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length });
};

test.each<[string, Make, string | null, Make?]>([
  ['an empty file', file(''), null],
  ['a small file', file('abc'), null],
  ['a file of several blocks', file('x'.repeat(600_000)), null],
  ['nothing', () => {}, 'missing'],
  ['a folder', (path) => mkdirSync(path), 'not_regular'],
  ['a link', (path) => (writeFileSync(`${path}2`, ''), symlinkSync(`${path}2`, path)), 'not_regular'],
  ['a link to nothing', (path) => symlinkSync(`${path}2`, path), 'not_regular'],
  ['a FIFO', (path) => void execFileSync('mkfifo', [path]), 'not_regular'],
  ['a device', (path) => symlinkSync('/dev/zero', path), 'not_regular'],
  ['a file at its limit', file('x'.repeat(1_000_000)), null],
  ['a file over its limit', (path) => (writeFileSync(path, ''), truncateSync(path, 1_000_001)), 'too_large'],
  ['a file that grows', file('abc'), 'changed', (path) => appendFileSync(path, 'd')],
  ['a file that shrinks', file('x'.repeat(600_000)), 'changed', (path) => truncateSync(path, 300_000)],
  ['a file that is written over', file('abc'), 'changed', (path) => (writeFileSync(path, 'abd'), utimesSync(path, 1, 1))],
  ['a file that another takes the place of', file('abc'), 'changed', (path) => (writeFileSync(`${path}2`, 'abc'), renameSync(`${path}2`, path))],
  ['a file that goes away', file('abc'), 'changed', (path) => unlinkSync(path)],
  ['a file that becomes a link', file('abc'), 'changed', (path) => (renameSync(path, `${path}2`), symlinkSync(`${path}2`, path))],
])('readOnce() of %s', (_title, make, problem, whileReading) => check(make, problem, whileReading));

// A mode would not do: root reads every file.
test('readOnce() of a file that the system refuses to open', () => {
  const path = join(makeFolder(), 'a'.repeat(300));
  expect(readOnce(path, { maxBytes: 1, take() {} })).toMatchObject({ problem: 'unreadable' });
});

test('readOnce() of a file below a file', () => {
  const path = join(makeFolder(), 'file');
  writeFileSync(path, '');
  expect(readOnce(join(path, 'below'), { maxBytes: 1, take() {} })).toEqual({ problem: 'missing', is: 'it is not there' });
  rmSync(path);
});

const linesOf = (blocks: readonly string[], lineBytesMax = 8): string[] => {
  const found: string[] = [];
  const reader = new LineReader({
    lineBytesMax,
    take: (line, lineNumber, offset) => void found.push(`${lineNumber}@${offset} ${line.toString()}`),
    blank: (lineNumber) => void found.push(`${lineNumber} blank`),
    tooLong: (lineNumber) => void found.push(`${lineNumber} too long`),
  });
  for (const block of blocks) reader.push(Buffer.from(block));
  reader.end();
  return found;
};

test.each<[string[], string[]]>([
  [[], []],
  [[''], []],
  [['a\nb\n'], ['1@0 a', '2@2 b']],
  [['a\nb'], ['1@0 a', '2@2 b']],
  [['a\r\nb\r'], ['1@0 a', '2@3 b']],
  [['a\r\r\n'], ['1@0 a\r']],
  [['a\n\nb\n\n'], ['1@0 a', '2 blank', '3@3 b', '4 blank']],
  [[' \t\r\nb'], ['1 blank', '2@4 b']],
  [['\u3000\nb'], ['1 blank', '2@4 b']],
  [['\ufeff\n'], ['1@0 \ufeff']],
  [['a', 'b', 'c\nd', '\n'], ['1@0 abc', '2@4 d']],
  [['1234567\n'], ['1@0 1234567']],
  [['12345678\na'], ['1 too long', '2@9 a']],
  [['1234567\r\na'], ['1 too long', '2@9 a']],
  [['1234', '5678', '9', '\na\n'], ['1 too long', '2@10 a']],
  [['1234', '56789'], ['1 too long']],
])('LineReader of %j', (blocks, found) => void expect(linesOf(blocks)).toEqual(found));

test('LineReader gives the same lines however the stream is cut', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r', ' ', 'ä'), { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 6 })), (whole, cuts) => {
      const blocks: string[] = [];
      let at = 0;
      for (const cut of cuts) blocks.push(whole.slice(at, (at += cut)));
      expect(linesOf([...blocks, whole.slice(at)])).toEqual(linesOf([whole]));
    }),
  );
});
