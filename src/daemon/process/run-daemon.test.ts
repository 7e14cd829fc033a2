import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../core/fault.ts';
import type { RunningDaemon } from '../start.ts';
import { nodeProcess, runDaemon, type DaemonProcess } from './run-daemon.ts';
import { StartError } from './start-error.ts';

const line = `${JSON.stringify({ stateDir: '/s', projectDir: '/p', rendererDir: '/r', windowToken: 'w'.repeat(16), controlToken: 'c'.repeat(16), composerDefaults: {} })}\n`;

function openWorld() {
  const told: unknown[] = [];
  const input = new PassThrough();
  const calls: { signal?: () => void; crash?: (error: unknown) => void; late?: () => void } = {};
  const world: DaemonProcess = {
    input,
    print: (text, then) => (told.push(JSON.parse(text)), then()),
    complain: (text) => told.push(text.split('\n')[0]),
    onSignal: (call) => (calls.signal = call),
    onCrash: (call) => (calls.crash = call),
    exit: (code) => told.push(`exit ${code}`),
    clock: { now: () => 0, after: (ms, call) => (told.push(`within ${ms}`), (calls.late = call), () => {}) },
  };
  const daemon: RunningDaemon = { url: 'http://127.0.0.1:1', log: (text) => told.push(`log ${text}`), stop: async () => void told.push('stop') };
  return { world, input, calls, told, daemon };
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const ready = { url: 'http://127.0.0.1:1' };

test('runDaemon() prints its address and ends with its input', async () => {
  const { world, input, told, daemon } = openWorld();
  input.end(line);
  await runDaemon(world, async () => daemon);
  expect(told).toEqual(['within 2000', ready, 'stop', 'exit 0']);
});

test('runDaemon() ends with a signal', async () => {
  const { world, input, told, calls, daemon } = openWorld();
  input.write(line);
  await runDaemon(world, async () => (queueMicrotask(() => calls.signal?.()), daemon));
  expect(told).toEqual([ready, 'within 2000', 'stop', 'exit 0']);
});

test('runDaemon() leaves by force where stopping hangs', async () => {
  const { world, input, told, calls, daemon } = openWorld();
  input.end(line);
  await runDaemon(world, async () => ({ ...daemon, stop: async () => calls.late?.() }));
  expect(told).toEqual(['within 2000', ready, 'exit 1', 'exit 0']);
});

test('runDaemon() says what went wrong while stopping', async () => {
  const { world, input, told, daemon } = openWorld();
  input.end(line);
  await runDaemon(world, async () => ({ ...daemon, stop: () => Promise.reject(new Error('Cannot end')) }));
  expect(told).toEqual(['within 2000', ready, 'Cannot end', 'exit 1']);
});

test('runDaemon() logs a crash and leaves', async () => {
  const { world, input, told, calls, daemon } = openWorld();
  input.write(line);
  const running = runDaemon(world, async () => daemon);
  await new Promise(setImmediate);
  calls.crash?.(new Error('odd'));
  expect(told).toEqual([ready, 'log the daemon crashed', 'Error: odd', 'exit 1']);
  input.end();
  await running;
});

test('runDaemon() leaves by force where starting hangs', async () => {
  const { world, input, told, calls } = openWorld();
  input.end(line);
  void runDaemon(world, () => new Promise(() => {}));
  await new Promise(setImmediate);
  calls.late?.();
  expect(told).toEqual(['within 2000', 'exit 1']);
});

test('runDaemon() gives a crash while starting as the cause', async () => {
  const { world, input, told, calls } = openWorld();
  input.write(line);
  void runDaemon(world, () => new Promise(() => {}));
  calls.crash?.(new Error('odd'));
  expect(told).toEqual([{ error: { code: 'daemon_start_failed', message: 'Cannot start the daemon: odd, no error was expected' } }, 'exit 1']);
});

test.each(signals)('nodeProcess() hears %s more than once: without a handler it would end the process on the spot', (signal) => {
  const before = new Map(signals.map((name) => [name, process.rawListeners(name)]));
  const addedTo = (name: (typeof signals)[number]) => process.rawListeners(name).filter((listener) => !before.get(name)?.includes(listener)) as (() => void)[];
  const outputErrors = process.stdout.listeners('error') as (() => void)[];
  onTestFinished(() => {
    for (const name of signals) for (const listener of addedTo(name)) process.off(name, listener);
    for (const listener of process.stdout.listeners('error') as (() => void)[]) if (!outputErrors.includes(listener)) process.stdout.off('error', listener);
  });
  let heard = 0;
  nodeProcess(openWorld().world.clock).onSignal(() => heard++);
  for (let i = 0; i < 2; i++) for (const listener of addedTo(signal)) listener();
  expect(heard).toBe(2);
});

async function checkCause(thrown: unknown, expected: { code: string; message: string }) {
  const { world, input, told } = openWorld();
  input.write(line);
  await runDaemon(world, () => Promise.reject(thrown as Error));
  expect(told).toEqual([{ error: expected }, 'exit 1']);
}

test('runDaemon() prints the cause of a failed start', () => checkCause(new StartError('state_dir_taken', 'taken'), { code: 'state_dir_taken', message: 'taken' }));
test('runDaemon() keeps the code of a Fault', () => checkCause(new Fault({ code: 'recording_busy', message: 'busy' }), { code: 'recording_busy', message: 'busy' }));
test('runDaemon() names no code of Node', () => checkCause(Object.assign(new Error('gone'), { code: 'ENOENT' }), { code: 'daemon_start_failed', message: 'Cannot start the daemon: gone, no error was expected' }));
