import { fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseBoot, readWindowBoot } from './boot.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'playhead-test-boot-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const boot = { baseUrl: 'http://127.0.0.1:4000', token: 'of the window' };
const isOpen = (descriptor: number) => {
  try {
    return fstatSync(descriptor) !== undefined;
  } catch {
    return false;
  }
};

test('readWindowBoot() reads an inherited descriptor and leaves neither it nor its name', async () => {
  const file = join(folder, 'boot');
  writeFileSync(file, JSON.stringify(boot));
  const descriptor = openSync(file, 'r');
  const env = { PLAYHEAD_DESKTOP_BOOT_FD: String(descriptor), HOME: '/' };
  expect(await readWindowBoot(env)).toEqual(boot);
  expect(env).toEqual({ HOME: '/' });
  expect(isOpen(descriptor)).toBe(false);
});

test.each([
  ['no way to a boot', {}, 'has no PLAYHEAD_DESKTOP_BOOT_FD, a descriptor was needed'],
  ['a descriptor that is not open', { PLAYHEAD_DESKTOP_BOOT_FD: '999999' }, 'descriptor 999999 gives EBADF'],
])('readWindowBoot() refuses %s', async (_title, env, message) => {
  await expect(readWindowBoot(env)).rejects.toThrow(message);
});

test.each([
  ['no text', '', 'no JSON object'],
  ['a broken text without quoting it', '{"token":"secret"', 'Cannot open the window: its boot is no JSON object, one was needed'],
  ['no token', '{"baseUrl":"http://127.0.0.1:1"}', 'no token'],
  ['another machine', '{"baseUrl":"http://example.com","token":"t"}', 'no loopback address'],
  ['a name that only starts like ours', '{"baseUrl":"http://127.0.0.1.example.com","token":"t"}', 'no loopback address'],
  ['another scheme', '{"baseUrl":"file:///etc","token":"t"}', 'no loopback address'],
])('parseBoot() refuses %s', (_title, text, message) => void expect(() => parseBoot(text)).toThrow(message));
