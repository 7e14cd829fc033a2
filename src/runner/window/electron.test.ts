import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../core/ports.ts';
import { nodeClock } from '../../tape/node-clock.ts';
import { createWorkroom, type Workroom } from '../workroom.ts';
import { startElectron, type ElectronOptions } from './electron.ts';
import { findElectron } from './find-electron.ts';

let workroom: Workroom;
beforeEach(() => void (workroom = createWorkroom()));
afterEach(() => workroom.remove());

// Limits of this module are seconds; here each is a moment.
const hasty: Clock = { now: nodeClock.now, after: (ms, call) => nodeClock.after(ms / 20, call) };
const boot = { baseUrl: 'http://127.0.0.1:4000', token: 'of-the-window' };
const listen = 'echo "DevTools listening on ws://127.0.0.1:5000/devtools/browser/1" >&2';
const idle = 'while :; do sleep 1; done';

/** A shell script stands where Electron would. */
function program(script: string): string {
  const file = join(workroom.makeFolder('program'), 'electron');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const begin = (script: string, change: Partial<ElectronOptions> = {}) =>
  startElectron({
    executable: program(script), args: ['/apps/desk'], boot, env: { PATH: process.env['PATH'], NODE_OPTIONS: '--inspect', ELECTRON_RUN_AS_NODE: '1' }, userDataDir: join(workroom.path, 'data'),
    display: ':7', workroom, clock: nodeClock, size: { width: 1000, height: 700 }, ...change,
  });

const isAlive = (pid: number) => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('startElectron() gives the endpoint among other lines, and hands the boot over by a descriptor alone', async () => {
  const out = workroom.makeFolder('out');
  const electron = await begin(`env > ${out}/env; echo "$@" > ${out}/args; cat <&3 > ${out}/boot; echo noise >&2; ${listen}; ${idle}`);
  expect(electron.endpoint).toBe('ws://127.0.0.1:5000/devtools/browser/1');
  expect(JSON.parse(readFileSync(`${out}/boot`, 'utf8'))).toEqual(boot);
  const env = readFileSync(`${out}/env`, 'utf8');
  const args = readFileSync(`${out}/args`, 'utf8');
  expect(env + args).not.toContain(boot.token);
  expect(env).toMatch(/^DISPLAY=:7$/m);
  expect(env).not.toMatch(/NODE_OPTIONS|ELECTRON_RUN_AS_NODE/);
  expect(args).toContain(`--user-data-dir=${join(workroom.path, 'data')} --window-size=1000x700`);
  expect(args.trimEnd().endsWith(' /apps/desk')).toBe(true);
  expect(args.includes('--no-sandbox')).toBe(process.getuid?.() === 0);
  await electron.stop();
});

test('startElectron() does not wait for a boot that comes later', async () => {
  const out = workroom.makeFolder('out');
  const later = Promise.withResolvers<typeof boot>();
  const electron = await begin(`${listen}; cat <&3 > ${out}/part; mv ${out}/part ${out}/boot; exit 3`, { boot: later.promise });
  later.resolve(boot);
  expect(await electron.exited).toMatchObject({ code: 3, why: 'its process ended with code 3' });
  expect(JSON.parse(readFileSync(`${out}/boot`, 'utf8'))).toEqual(boot);
  await electron.stop();
});

test.each([
  ['ends before it is ready', 'echo "error while loading shared libraries: libgtk-3.so.0" >&2; exit 127', 'its process ended with code 127', 'libgtk-3.so.0'],
  ['says itself what is wrong', `echo '{"error":{"code":"window_not_ready","message":"Cannot open the window: no boot"}}' >&2; exit 1`, 'Cannot open the window: no boot', 'no boot'],
  ['never becomes ready', `echo waiting >&2; ${idle}`, 'it was not ready within 20000 ms', 'waiting'],
])('a window that %s is a fault with its cause, and leaves nothing', async (_title, script, why, cause) => {
  const userDataDir = join(workroom.path, 'data');
  const failing = begin(script, { clock: hasty });
  await expect(failing).rejects.toMatchObject({ code: 'window_not_ready', exitCode: 3, message: `Cannot open the window: ${why}, a running Electron was needed` });
  await expect(failing).rejects.toMatchObject({ cause: { message: expect.stringContaining(cause) } });
  expect(existsSync(userDataDir)).toBe(false);
});

test('a program that is not there is a fault', async () => {
  await expect(begin('', { executable: '/nowhere/electron' })).rejects.toMatchObject({ code: 'window_not_ready', message: 'Cannot open the window: "/nowhere/electron" could not be run (ENOENT), a running Electron was needed' });
});

test.each([
  ['obeys', `${listen}; trap 'exit 0' TERM; ${idle}`],
  ['does not obey', `trap '' TERM; sleep 600 & ${listen}; ${idle}`],
  ['has ended by itself', `sleep 600 & ${listen}`],
])('stop() ends a program that %s with its children, removes its folder, and may be called again', async (_title, script) => {
  const electron = await begin(script, { clock: hasty });
  await electron.stop();
  await electron.stop();
  expect(isAlive(electron.pid)).toBe(false);
  expect(existsSync(join(workroom.path, 'data'))).toBe(false);
  expect(existsSync(join(workroom.path, 'groups', String(electron.pid)))).toBe(false);
});

test('exited tells what a crashed window said', async () => {
  const electron = await begin(`${listen}; echo '{"error":{"code":"window_crashed"}}' >&2; exit 1`);
  expect(await electron.exited).toEqual({ code: 1, signal: null, why: 'window_crashed' });
  await electron.stop();
});

const addPackage = (folder: string, files: { [path: string]: string }) => {
  for (const [path, text] of Object.entries({ 'package.json': '{"name":"electron"}', ...files })) {
    const file = join(folder, 'node_modules/electron', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
};
const find = (env: NodeJS.ProcessEnv = {}, platform: NodeJS.Platform = 'linux') => findElectron({ configFolder: join(workroom.path, 'project/e2e'), packageRoot: join(workroom.path, 'playhead'), env, platform });

test('findElectron() takes the package of the project by its path.txt, before our own', () => {
  addPackage(join(workroom.path, 'project'), { 'path.txt': 'named', 'dist/named': '' });
  mkdirSync(join(workroom.path, 'playhead/tools/electron/dist'), { recursive: true });
  writeFileSync(join(workroom.path, 'playhead/tools/electron/dist/electron'), '');
  expect(find()).toBe(join(workroom.path, 'project/node_modules/electron/dist/named'));
});

test('findElectron() obeys the folder that the package would obey', () => {
  addPackage(join(workroom.path, 'project'), { 'other/Electron.app/Contents/MacOS/Electron': '' });
  const other = join(workroom.path, 'project/node_modules/electron/other');
  expect(find({ ELECTRON_OVERRIDE_DIST_PATH: other }, 'darwin')).toBe(join(other, 'Electron.app/Contents/MacOS/Electron'));
});

test('findElectron() takes our own where the package has fetched nothing', () => {
  addPackage(join(workroom.path, 'project'), { 'index.js': 'throw new Error("it would fetch")' });
  const own = join(workroom.path, 'playhead/tools/electron/dist/electron');
  mkdirSync(join(own, '..'), { recursive: true });
  writeFileSync(own, '');
  expect(find()).toBe(own);
});

test.each<[string, () => void, string, string]>([
  ['no package', () => {}, 'package "electron" is not installed', 'npm i -D electron && npx electron --version'],
  ['a package without its program', () => addPackage(join(workroom.path, 'project'), {}), 'package "electron" has not fetched its program yet', 'npx electron --version'],
])('findElectron() says what to do where there is %s', (_title, prepare, is, next) => {
  prepare();
  expect(() => find()).toThrow(expect.objectContaining({ code: 'no_electron', exitCode: 3, message: `Cannot open an Electron window: ${is}, a program was needed`, next: [next] }));
});
