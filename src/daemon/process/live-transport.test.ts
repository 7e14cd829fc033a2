import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../../core/limits.ts';
import type { ProcessConnection, ProcessFrame, ProcessSpec } from '../../core/ports.ts';
import { Change } from '../../core/signal.ts';
import { createLiveTransport } from './live-transport.ts';

/** Timers that a test fires by hand. */
function handClock() {
  const timers: { ms: number; call: () => void }[] = [];
  const change = new Change();
  const after = (ms: number, call: () => void) => {
    timers.push({ ms, call });
    change.announce();
    return () => {};
  };
  const find = (ms: number) => timers.find((timer) => timer.ms === ms);
  return {
    now: () => 0,
    after,
    fire: (ms: number) => find(ms)?.call(),
    /** Fires a timer once somebody has set it. */
    async fireWhenSet(ms: number) {
      while (!find(ms)) await change.next();
      find(ms)?.call();
    },
  };
}

const specOf = (spec: Partial<ProcessSpec>): ProcessSpec => ({ provider: 'codex', agentSessionId: 's1', rootAgentSessionId: '', command: ['codex', 'serve'], env: [], cwd: process.cwd(), protocolCwd: '', ...spec });

async function start(script: string, options: { env?: string[]; programEnv?: { [name: string]: string }; clock?: ReturnType<typeof handClock> } = {}) {
  const clock = options.clock ?? handClock();
  const transport = createLiveTransport({
    programs: { codex: { command: [process.execPath, '-e', script, '--'], env: options.programEnv ?? {} } },
    env: { PATH: '/bin:/usr/bin', HOME: '/home/of-nobody', SECRET_TOKEN: 'secret' },
    clock,
  });
  onTestFinished(() => transport.killAll());
  return { clock, transport, connection: await transport.start(specOf({ env: options.env ?? [] })) };
}

async function readAll(connection: ProcessConnection): Promise<string[]> {
  const seen: string[] = [];
  for (let frame: ProcessFrame | null; (frame = await connection.recv()); ) seen.push(frame.kind === 'exit' ? `exit ${frame.exitCode} ${frame.message ?? ''}`.trim() : `${frame.kind} ${frame.bytes.toString().trim()}`);
  return seen;
}

test('createLiveTransport() puts the program in place of the first word and keeps the rest', async () => {
  const { connection } = await start('console.log(process.argv.slice(1).join(" "))');
  expect(await readAll(connection)).toEqual(['stdout serve', 'exit 0']);
});

test('createLiveTransport() gives allowed variables, the program’s and the launch’s, in this order', async () => {
  const { connection } = await start('const { PATH, HOME, SECRET_TOKEN, A, B } = process.env; console.log(JSON.stringify([PATH, HOME, SECRET_TOKEN, A, B]))', { programEnv: { A: 'program', B: 'program' }, env: ['B=launch=1'] });
  expect(await readAll(connection)).toEqual([`stdout ${JSON.stringify(['/bin:/usr/bin', '/home/of-nobody', null, 'program', 'launch=1'])}`, 'exit 0']);
});

test('createLiveTransport() sends lines and receives output, errors and exit', async () => {
  const { connection } = await start('process.stdin.once("data", (line) => { process.stdout.write(`got ${line}`); process.stderr.write("odd\\n"); process.exitCode = 3; process.stdin.destroy(); })');
  await connection.send(Buffer.from('ping\n'));
  const seen = await readAll(connection);
  expect(seen.slice(0, 2).sort()).toEqual(['stderr odd', 'stdout got ping']);
  expect(seen.slice(2)).toEqual(['exit 3']);
  await expect(connection.send(Buffer.from('late\n'))).rejects.toMatchObject({ code: 'provider_disconnected' });
});

test('createLiveTransport() says what kept a program from starting', async () => {
  const transport = createLiveTransport({ programs: { codex: { command: ['/nowhere/codex'], env: {} } }, env: {}, clock: handClock() });
  await expect(transport.start(specOf({}))).rejects.toMatchObject({ code: 'provider_start_failed', message: expect.stringMatching(/^Cannot start provider "codex": .*ENOENT/) });
});

test('close() ends the input, and that is enough for a program that listens', async () => {
  const { connection } = await start('process.stdin.resume().on("end", () => process.exit(0))');
  await connection.close();
  expect(await readAll(connection)).toEqual(['exit 0']);
});

async function checkStubborn(script: string, fired: number[], expected: string) {
  const { connection, clock } = await start(script);
  await connection.recv();
  const closing = connection.close();
  for (const ms of fired) clock.fire(ms);
  await closing;
  expect((await readAll(connection)).at(-1)).toBe(expected);
}

const stays = 'setInterval(() => {}, 1000); console.log("up");';
test('close() asks a program to end', () => checkStubborn(stays, [limits.providerTermMs], 'exit 143 signal:SIGTERM'));
test('close() kills a program that was asked', () => checkStubborn(`process.on("SIGTERM", () => {}); ${stays}`, [limits.providerTermMs, limits.providerKillMs], 'exit 137 signal:SIGKILL'));
test('close() reaches what the program started', () =>
  checkStubborn(`require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(1)"], { stdio: "inherit" });setInterval(() => {}, 1000);`, [limits.providerTermMs], 'exit 143 signal:SIGTERM'));

const endless = JSON.stringify('setInterval(() => {}, 1000); console.log(process.pid)');
/** Leaves somebody behind who holds its pipes, and tells its number. */
const leaving = (isDetached: boolean) => `require("child_process").spawn(process.execPath, ["-e", ${endless}], { stdio: "inherit", detached: ${isDetached} }).once("spawn", () => process.exit(0));`;

test('a program that ended is told of, and what it left behind with its pipes is ended', async () => {
  const { connection, clock } = await start(leaving(false));
  await connection.recv();
  await clock.fireWhenSet(limits.providerGraceMs);
  expect(await readAll(connection)).toEqual(['exit 0']);
});

test('close() reaches what a program that ended has left behind', async () => {
  const { connection, clock } = await start(leaving(false));
  await connection.recv();
  const closing = connection.close();
  clock.fire(limits.providerTermMs);
  await closing;
  expect(await readAll(connection)).toEqual(['exit 0']);
});

test('close() does not wait for somebody who left the group with the pipes', async () => {
  const { connection, clock } = await start(leaving(true));
  const told = await connection.recv();
  const pid = Number(told?.kind === 'stdout' && told.bytes.toString());
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  const closing = connection.close();
  clock.fire(limits.providerKillMs);
  await closing;
  expect(await readAll(connection)).toEqual(['exit 0']);
});

test('a group that was ended gets no signal more: its number may be another’s', async () => {
  const { connection, clock } = await start('');
  expect(await readAll(connection)).toEqual(['exit 0']);
  await clock.fireWhenSet(limits.providerGraceMs);
  const sent: unknown[] = [];
  const { kill } = process;
  process.kill = (...args) => (sent.push(args), true);
  onTestFinished(() => void (process.kill = kill));
  connection.terminate?.();
  await connection.close();
  expect(sent).toEqual([]);
});

test('recv() that is cancelled takes nothing', async () => {
  const { connection } = await start('process.stdin.once("data", (line) => { process.stdout.write(line); process.exit(0) })');
  const cancel = new AbortController();
  const waiting = connection.recv(cancel.signal);
  cancel.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
  await connection.send(Buffer.from('ping\n'));
  expect(await readAll(connection)).toEqual(['stdout ping', 'exit 0']);
});
