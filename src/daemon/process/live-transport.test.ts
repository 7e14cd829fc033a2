import { expect, onTestFinished, test } from 'vitest';
import type { ProcessConnection, ProcessFrame, ProcessSpec } from '../../core/ports.ts';
import { createLiveTransport } from './live-transport.ts';

/** Timers that a test fires by hand. */
function handClock() {
  const timers: { ms: number; call: () => void }[] = [];
  return { now: () => 0, after: (ms: number, call: () => void) => (timers.push({ ms, call }), () => {}), fire: (ms: number) => timers.find((timer) => timer.ms === ms)?.call() };
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
test('close() asks a program to end after 2 s', () => checkStubborn(stays, [2_000], 'exit 143 signal:SIGTERM'));
test('close() kills a program after 4 s', () => checkStubborn(`process.on("SIGTERM", () => {}); ${stays}`, [2_000, 4_000], 'exit 137 signal:SIGKILL'));
test('close() reaches what the program started', () =>
  checkStubborn(`require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(1)"], { stdio: "inherit" });setInterval(() => {}, 1000);`, [2_000], 'exit 143 signal:SIGTERM'));

test('recv() that is cancelled takes nothing', async () => {
  const { connection } = await start('process.stdin.once("data", (line) => { process.stdout.write(line); process.exit(0) })');
  const cancel = new AbortController();
  const waiting = connection.recv(cancel.signal);
  cancel.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
  await connection.send(Buffer.from('ping\n'));
  expect(await readAll(connection)).toEqual(['stdout ping', 'exit 0']);
});
