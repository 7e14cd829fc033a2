/** A private place for one check: own TMPDIR, home, work folder and PATH; afterwards nothing of ours may be left in it. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));
export const cli = path.join(root, 'dist/cli.js');
export const codexProgram = path.join(root, 'tests/faults/codex.mjs');
export const clientProgram = path.join(root, 'tests/faults/client.mjs');

/** Gives `body` a place, and asserts that nothing is left behind in it. */
export async function inPlace(body, options = {}) {
  const place = createPlace(options);
  try {
    await body(place);
    await place.assertEmpty();
  } finally {
    for (const { pid } of place.processes()) signal(pid, 'SIGKILL');
    for (const folder of [place.path, ...place.others]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function createPlace({ name = 'pf', codex = codexProgram, deep = '' }) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `${name}-`)));
  const temp = path.join(folder, deep || 't');
  const at = (...parts) => path.join(folder, ...parts);
  for (const each of [temp, at('bin'), at('home'), at('work')]) mkdirSync(each, { recursive: true });
  const place = {
    path: folder,
    temp,
    at,
    work: at('work'),
    /** Further folders to remove. */
    others: [],
    env: { ...cleanEnv(), HOME: at('home'), TMPDIR: temp, PATH: `${at('bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin`, PLAYHEAD_STALL_MS: '2500' },
    program(programName, file, ...args) {
      const script = at('bin', programName);
      writeFileSync(script, `#!/bin/sh\nexec ${[process.execPath, file, ...args].map((word) => `'${word}'`).join(' ')} "$@"\n`);
      chmodSync(script, 0o755);
      return script;
    },
    run: (command, given = {}) => run(command, { cwd: place.work, ...given, env: { ...place.env, ...given.env } }),
    playhead: (args, given = {}) => place.run([process.execPath, cli, ...args], given),
    client: (steps) => client(place, steps),
    /** Records the steps of a client through `wrap`; gives the tape's folder. */
    async record(tape, steps) {
      const result = await place.playhead(['wrap', 'codex', '--record', at(tape), '--', ...client(place, steps)]);
      assert.equal(result.code, 0, result.stderr);
      return at(tape);
    },
    replay: async (tape, steps, given = {}) => readVerdict(await place.playhead(['wrap', 'codex', '--replay', at(tape), '--json', '--', ...client(place, steps)], given)),
    /** What the last client wrote, one event a line. */
    events: () => (existsSync(at('events.jsonl')) ? readFileSync(at('events.jsonl'), 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line)) : []),
    /** Processes that carry this place in their environment or arguments. */
    processes: () => processesOf(folder),
    leftovers: () => [...readdirSync(temp).filter((entry) => entry.startsWith('playhead-')), ...sockets(temp), ...processesOf(folder).map(({ pid, command }) => `${pid} ${command}`)],
    assertEmpty: (limitMs = 4_000) => until(() => place.leftovers().length === 0, limitMs, () => `left behind: ${place.leftovers().join(' | ')}`),
  };
  if (codex) place.program('codex', codex);
  return place;
}

function client(place, steps) {
  rmSync(place.at('events.jsonl'), { force: true });
  return [process.execPath, clientProgram, place.at('events.jsonl'), ...steps];
}

/** Runs a command to its end; gives code, output and time. */
export function start(command, options) {
  const beganMs = performance.now();
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (read) => (out[name] += read));
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    // Note: 'exit' and not 'close': a process left behind may hold the pipes.
    child.once('exit', (code, by) => setImmediate(() => resolve({ code, signal: by, ...out, ms: performance.now() - beganMs })));
    child.once('close', (code, by) => resolve({ code, signal: by, ...out, ms: performance.now() - beganMs }));
  });
  return { child, ended, out };
}

export async function run(command, options) {
  const { child, ended, out } = start(command, options);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const result = await ended;
  await Promise.race([closed, until(() => false, 1_000).catch(() => {})]);
  return { ...result, ...out };
}

/** Polls where there is no event to wait for. */
export async function until(isDone, limitMs, explain = () => 'what was awaited did not come') {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const value = await isDone();
    if (value) return value;
    if (performance.now() > endMs) throw new Error(explain());
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}

export function isAlive(pid) {
  try {
    return !/\nState:\s+[ZX]/.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export function readVerdict(result) {
  try {
    const document = JSON.parse(result.stdout);
    return { ...result, document, verdict: document.verdicts?.[0] ?? null, error: document.error ?? null };
  } catch (error) {
    throw new Error(`stdout is no document (exit ${result.code}): ${result.stdout}\n${result.stderr}`, { cause: error });
  }
}

function processesOf(mark) {
  return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid).flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const isOurs = command.includes(`${mark}/`) || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${mark}/`);
      return isOurs && isAlive(pid) ? [{ pid: Number(pid), command: command.slice(0, 1_000) }] : [];
    } catch {
      return []; // It ended meanwhile, or is not ours to read.
    }
  });
}

function sockets(folder) {
  try {
    return readdirSync(folder, { recursive: true }).filter((entry) => entry.endsWith('.sock'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return ['a folder that is being removed'];
  }
}

// A run inside `npm test` or inside another Playwright must not reach the nested ones.
function cleanEnv() {
  const dropped = /^(PLAYHEAD_|PLAYWRIGHT_|PW_|PWDEBUG|TEST_|CODEX_|NODE_OPTIONS|NODE_V8_COVERAGE|npm_|CI$|FORCE_COLOR|DEBUG)/;
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name))), NO_COLOR: '1' };
}
