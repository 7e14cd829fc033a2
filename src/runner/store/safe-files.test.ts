import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { picture, temporaryFolder } from './fixtures.ts';
import { copyFolder, isThere, makeFolderBelow, openRegular, readRegular, RefusedFile } from './safe-files.ts';

const pipe = (path: string) => void execFileSync('mkfifo', [path]);
const check = (prepare: (folder: string) => void, bytesMax = 100) => {
  const root = temporaryFolder(onTestFinished);
  const source = join(root, 'source');
  mkdirSync(source);
  prepare(source);
  try {
    copyFolder(source, join(root, 'copy'), bytesMax);
    return picture(join(root, 'copy'));
  } catch (error) {
    return error instanceof RefusedFile ? error.message : error;
  }
};

test.each<[string, (folder: string) => void, unknown]>([
  ['files and folders', (folder) => { mkdirSync(join(folder, 'a', 'empty'), { recursive: true }); writeFileSync(join(folder, 'a', 'b'), 'x'); }, { 'a/b': 'x' }],
  ['as many bytes as there may be', (folder) => { writeFileSync(join(folder, 'a'), 'x'.repeat(60)); writeFileSync(join(folder, 'b'), 'x'.repeat(40)); }, { a: 'x'.repeat(60), b: 'x'.repeat(40) }],
  ['a byte more', (folder) => { writeFileSync(join(folder, 'a'), 'x'.repeat(60)); writeFileSync(join(folder, 'b'), 'x'.repeat(41)); }, 'the files are too large together, at "b"'],
  ['a file of terabytes', (folder) => { writeFileSync(join(folder, 'a'), ''); truncateSync(join(folder, 'a'), 2 ** 42); }, 'the files are too large together, at "a"'],
  ['a link to a file', (folder) => symlinkSync('/etc/hostname', join(folder, 'a')), '"a" is no regular file that can be read'],
  ['a link to a folder', (folder) => symlinkSync('/etc', join(folder, 'a')), '"a" is no regular file that can be read'],
  ['a link to itself', (folder) => symlinkSync('a', join(folder, 'a')), '"a" is no regular file that can be read'],
  ['a pipe', (folder) => pipe(join(folder, 'a')), '"a" is no regular file'],
  ['sixteen folders in one another', (folder) => void mkdirSync(join(folder, ...'abcdefghijklmnop'), { recursive: true }), {}],
  ['seventeen', (folder) => void mkdirSync(join(folder, ...'abcdefghijklmnopq'), { recursive: true }), '"a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q" is more than 16 folders deep'],
])('copyFolder() of %s', (_title, prepare, expected) => expect(check(prepare)).toEqual(expected));

test('copyFolder() makes folders and files that nobody else may read, and writes over nothing', () => {
  const root = temporaryFolder(onTestFinished);
  mkdirSync(join(root, 'source', 'a'), { recursive: true });
  writeFileSync(join(root, 'source', 'a', 'b'), 'x', { mode: 0o777 });
  copyFolder(join(root, 'source'), join(root, 'copy'), 100);
  expect(['', 'a', 'a/b'].map((path) => statSync(join(root, 'copy', path)).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
  expect(() => copyFolder(join(root, 'source'), join(root, 'copy'), 100)).toThrow('EEXIST');
  expect(() => copyFolder(join(root, 'source'), join(root, 'source', 'into-itself'), 1000)).toThrow(RefusedFile);
});

test('openRegular() opens no link, no pipe, no device and no socket, and waits for none', async () => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'file'), 'x');
  symlinkSync('file', join(folder, 'link'));
  pipe(join(folder, 'pipe'));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
  for (const path of [...['link', 'pipe', 'socket'].map((name) => join(folder, name)), '/dev/zero', folder]) expect(() => openRegular(path, 'it')).toThrow(RefusedFile);
  expect(() => openRegular(join(folder, 'none'), 'it')).toThrow('ENOENT');
  closeSync(openRegular(join(folder, 'file'), 'it'));
  await new Promise((resolve) => server.close(resolve));
});

test('readRegular() stops behind its limit', () => {
  const path = join(temporaryFolder(onTestFinished), 'file');
  writeFileSync(path, 'x'.repeat(600_000));
  expect(readRegular(path, { shown: 'file', bytesMax: 600_000 }).length).toBe(600_000);
  expect(() => readRegular(path, { shown: 'file', bytesMax: 599_999 })).toThrow('more than 599999 bytes');
});

test('makeFolderBelow() makes what is missing and walks through no link', () => {
  const root = temporaryFolder(onTestFinished);
  expect([makeFolderBelow(root, ['a', 'b']), makeFolderBelow(root, ['a', 'b'])]).toEqual([join(root, 'a', 'b'), join(root, 'a', 'b')]);
  symlinkSync(root, join(root, 'link'));
  expect(() => makeFolderBelow(root, ['link', 'c'])).toThrow(RefusedFile);
  expect([readdirSync(root).toSorted(), isThere(join(root, 'link'))]).toEqual([['a', 'link'], true]);
});
