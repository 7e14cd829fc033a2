import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Clock } from '../../core/ports.ts';
import { nodeClock } from '../../tape/node-clock.ts';
import { createWorkroom, type Workroom } from '../workroom.ts';
import { identifySocket, removeStale, startDisplay } from './display.ts';

let workroom: Workroom;
beforeEach(() => void (workroom = createWorkroom()));
afterEach(() => workroom.remove());

const hasty: Clock = { now: nodeClock.now, after: (ms, call) => nodeClock.after(ms / 20, call) };

/** A shell script stands where Xvfb would; it writes its own pid, which is that of its group. */
function program(script: string): string {
  const file = join(workroom.makeFolder('program'), 'Xvfb');
  writeFileSync(file, `#!/bin/sh\necho $$ >> ${join(workroom.path, 'pids')}\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
const idle = 'while :; do sleep 1; done';
const pids = () => readFileSync(join(workroom.path, 'pids'), 'utf8').trim().split('\n').map(Number);
const begin = (script: string, clock: Clock = nodeClock) => startDisplay({ workroom, clock, env: { PATH: process.env['PATH'] }, platform: 'linux', program: program(script) });
const isAlive = (pid: number) => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, string | null]>([
  ['the one that is set', { DISPLAY: ':5' }, 'linux', ':5'],
  ['none where none is needed', {}, 'darwin', null],
])('startDisplay() gives %s', async (_title, env, platform, expected) => {
  const display = await startDisplay({ workroom, clock: nodeClock, env, platform, program: '/nowhere/Xvfb' });
  expect(display.name).toBe(expected);
  await display.stop();
});

test('startDisplay() starts one server for a workroom, and another after its end', async () => {
  const script = `echo 12 >&3; ${idle}`;
  const [one, two] = await Promise.all([begin(script), begin(script)]);
  expect([one.name, two]).toEqual([':12', one]);
  expect(pids()).toHaveLength(1);
  await one.stop();
  expect(isAlive(pids()[0] ?? 0)).toBe(false);
  await (await begin(script)).stop();
  expect(pids()).toHaveLength(2);
});

test.each([
  ['is not there', null, '"/nowhere/Xvfb" could not be run (ENOENT)'],
  ['ends at once', 'echo "no screens found" >&2; exit 1', '" ended with code 1'],
  ['gives no number', idle, 'Xvfb gave no display within 20000 ms'],
])('a server that %s is a fault, and the next ask tries again', async (_title, script, is) => {
  const starting = script === null ? startDisplay({ workroom, clock: nodeClock, env: {}, platform: 'linux', program: '/nowhere/Xvfb' }) : begin(script, hasty);
  await expect(starting).rejects.toMatchObject({ code: 'no_display', exitCode: 3, message: expect.stringContaining(is) });
  await vi.waitFor(async () => void (await (await begin(`echo 3 >&3; ${idle}`)).stop()));
});

test('a server that does not obey is killed', async () => {
  const display = await begin(`trap '' TERM; echo 4 >&3; ${idle}`, hasty);
  await display.stop();
  expect(isAlive(pids()[0] ?? 0)).toBe(false);
});

test('removing the workroom asks the server to end, after what else was guarded has been killed', async () => {
  const folder = join(workroom.path, '..');
  const said = join(folder, `playhead-test-display-${process.pid}`);
  await begin(`trap 'rm -f ${said}; exit 0' TERM; echo x > ${said}; echo 6 >&3; ${idle}`);
  const [pid = 0] = pids();
  workroom.remove();
  await vi.waitFor(() => expect([existsSync(said), isAlive(pid)]).toEqual([false, false]), { timeout: 5_000 });
});

test('after a kill of its owner the janitor asks the server to end', async () => {
  const script = `
    import { createWorkroom } from ${JSON.stringify(new URL('../workroom.ts', import.meta.url).href)};
    import { startDisplay } from ${JSON.stringify(new URL('./display.ts', import.meta.url).href)};
    import { nodeClock } from ${JSON.stringify(new URL('../../tape/node-clock.ts', import.meta.url).href)};
    const own = createWorkroom();
    await startDisplay({ workroom: own, clock: nodeClock, env: { PATH: process.env.PATH }, platform: 'linux', program: process.argv[1] });
    console.log(own.path);
    setInterval(() => {}, 1000);`;
  const ended = join(workroom.path, 'ended');
  // The fake writes nothing on its way out, for the pipe has lost its reader.
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script, program(`exec 2>/dev/null; trap 'echo yes > ${ended}; exit 0' TERM; echo 8 >&3; ${idle}`)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const path = String(await new Promise((resolve) => owner.stdout.once('data', resolve))).trim();
  owner.kill('SIGKILL');
  await vi.waitFor(() => expect([existsSync(ended), existsSync(path), isAlive(pids()[0] ?? 0)]).toEqual([true, false, false]), { timeout: 5_000 });
});

test.each([
  ['removes what the killed server left', () => {}, false],
  ['leaves what another server has made of it', (path: string) => chmodSync(path, 0o600), true],
  ['is content where the server took it away', (path: string) => rmSync(path), false],
])('removeStale() %s', (_title, change, isLeft) => {
  const path = join(workroom.path, 'X9');
  writeFileSync(path, '', { mode: 0o644 });
  const socket = identifySocket(9, workroom.path);
  change(path);
  removeStale(socket);
  expect(existsSync(path)).toBe(isLeft);
});

test('identifySocket() knows nothing of a display without a file', () => void expect(identifySocket(9, workroom.path)).toBeNull());
