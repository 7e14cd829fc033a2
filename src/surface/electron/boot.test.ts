import { existsSync, fstatSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseBoot, readWindowBoot } from './boot.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'playhead-test-boot-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const boot = { baseUrl: 'http://127.0.0.1:4000', token: 'of the window' };
const write = (name: string, mode = 0o600) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(boot), { mode });
  return file;
};
const isOpen = (descriptor: number) => {
  try {
    return fstatSync(descriptor) !== undefined;
  } catch {
    return false;
  }
};

test('readWindowBoot() reads an inherited descriptor and leaves neither it nor its name', async () => {
  const descriptor = openSync(write('boot'), 'r');
  const env = { PLAYHEAD_DESKTOP_BOOT_FD: String(descriptor), HOME: '/' };
  expect(await readWindowBoot(env)).toEqual(boot);
  expect(env).toEqual({ HOME: '/' });
  expect(isOpen(descriptor)).toBe(false);
});

test('readWindowBoot() waits for a file, reads it and removes it', async () => {
  const env = { PLAYHEAD_DESKTOP_BOOT_FILE: join(folder, 'boot') };
  const reading = readWindowBoot(env);
  renameSync(write('boot.part'), join(folder, 'boot'));
  expect(await reading).toEqual(boot);
  expect(env).toEqual({});
  expect(existsSync(join(folder, 'boot'))).toBe(false);
});

test.each<[string, () => { [name: string]: string }, string]>([
  ['no way to a boot', () => ({}), 'a descriptor or PLAYHEAD_DESKTOP_BOOT_FILE was needed'],
  ['a descriptor that is not open', () => ({ PLAYHEAD_DESKTOP_BOOT_FD: '999999' }), 'descriptor 999999 gives EBADF'],
  ['a file that others may read', () => ({ PLAYHEAD_DESKTOP_BOOT_FILE: write('boot', 0o644) }), 'its file has mode 644, 600 was needed'],
])('readWindowBoot() refuses %s', async (_title, env, message) => {
  await expect(readWindowBoot(env())).rejects.toThrow(message);
});

test.each([
  ['no text', '', 'no JSON object'],
  ['a broken text without quoting it', '{"token":"secret"', 'Cannot open the window: its boot is no JSON object, one was needed'],
  ['no token', '{"baseUrl":"http://127.0.0.1:1"}', 'no token'],
  ['another machine', '{"baseUrl":"http://example.com","token":"t"}', 'no loopback address'],
  ['a name that only starts like ours', '{"baseUrl":"http://127.0.0.1.example.com","token":"t"}', 'no loopback address'],
  ['another scheme', '{"baseUrl":"file:///etc","token":"t"}', 'no loopback address'],
])('parseBoot() refuses %s', (_title, text, message) => void expect(() => parseBoot(text)).toThrow(message));
