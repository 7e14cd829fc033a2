import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../core/limits.ts';
import { changedPaths, isStillThere, walkFolder } from './walk-folder.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-walk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'b/c'), { recursive: true });
  writeFileSync(join(folder, 'b/c/one'), '1');
  writeFileSync(join(folder, 'b.txt'), '22');
  symlinkSync('b', join(folder, 'a'));
  return folder;
}

test('walkFolder() lists files and links in order of their paths and follows nothing', () => {
  const { entries, unreadable, isTooLarge } = walkFolder(makeFolder());
  expect(entries.map(({ path, kind, sizeBytes }) => [path, kind, sizeBytes])).toEqual([['a', 'link', 1], ['b.txt', 'file', 2], ['b/c/one', 'file', 1]]);
  expect([unreadable, isTooLarge]).toEqual([[], false]);
});

test('walkFolder() of a folder that is not there says so', () => {
  expect(walkFolder(join(makeFolder(), 'absent'))).toEqual({ entries: [], unreadable: [{ path: '.', is: 'ENOENT' }], isTooLarge: false });
});

test('walkFolder() stops behind as many entries as there may be', () => {
  const before = limits.cassetteEntryCountMax;
  onTestFinished(() => void Object.assign(limits, { cassetteEntryCountMax: before }));
  const folder = makeFolder();
  for (const [countMax, isTooLarge] of [[5, false], [4, true], [2, true]] as const) {
    Object.assign(limits, { cassetteEntryCountMax: countMax });
    expect(walkFolder(folder).isTooLarge).toBe(isTooLarge);
  }
});

test('changedPaths() names what was written, came and went', () => {
  const folder = makeFolder();
  const before = walkFolder(folder).entries;
  expect(changedPaths(before, walkFolder(folder).entries)).toEqual([]);
  appendFileSync(join(folder, 'b.txt'), '3');
  renameSync(join(folder, 'b/c/one'), join(folder, 'b/c/two'));
  expect(changedPaths(before, walkFolder(folder).entries)).toEqual(['b.txt', 'b/c/two', 'b/c/one']);
});

test('isStillThere() sees another file behind the same path', () => {
  const folder = makeFolder();
  const entry = walkFolder(folder).entries.find(({ path }) => path === 'b/c/one')!;
  expect(isStillThere(folder, entry)).toBe(true);
  renameSync(join(folder, 'b'), join(folder, 'd'));
  expect(isStillThere(folder, entry)).toBe(false);
  mkdirSync(join(folder, 'other/c'), { recursive: true });
  writeFileSync(join(folder, 'other/c/one'), '1');
  symlinkSync('other', join(folder, 'b'));
  expect(isStillThere(folder, entry)).toBe(false);
});
