import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Hello } from '../../../src/core/shim/wire.ts';
import { providers } from '../../../src/providers/registry.ts';
import { createStandInFolder, type StandInFolder } from '../../../src/runner/stand-in-folder.ts';
import { listenForStandIns, type SessionEvents, type SessionLink, type StandInServer } from '../../../src/tape/stand-in-server.ts';
import { Inbox } from '../conformance/product.ts';
import { bundleStandIns, makeTempFolder, removeFolder } from '../conformance/programs.ts';

let room = '';
let count = 0;
const servers: StandInServer[] = [];

beforeAll(async () => {
  room = makeTempFolder();
  await bundleStandIns(join(room, 'bin'));
}, 60_000);
afterAll(() => removeFolder(room));
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function makeFolder(mode: 'replay' | 'record' = 'replay'): StandInFolder {
  return createStandInFolder({ path: join(room, `s ${++count}`), mode, providers, programs: join(room, 'bin'), stallMs: 15_000 });
}

function makeCwd(name: string): string {
  const cwd = join(room, `${name}${count}`);
  mkdirSync(cwd, { recursive: true });
  return cwd;
}

function launch(folder: StandInFolder, options: { cwd: string; argv?: string[]; env?: NodeJS.ProcessEnv }) {
  const child = spawn(folder.program('codex'), options.argv ?? ['app-server'], { cwd: options.cwd, env: { ...folder.env(process.env), ...options.env } });
  const [out, log] = [new Inbox(), new Inbox()];
  child.stdin.on('error', () => {});
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => log.push(bytes.toString()));
  return { child, out, log, exit: new Promise<number | null>((resolve) => child.on('close', resolve)) };
}

type Heard = { hello: Hello; link: SessionLink; stdin: Inbox; events: string[]; ended: Promise<void> };

/** A server that only listens, and the first launch that comes. */
async function listen(folder: StandInFolder, name: string, prefixes: string[], initialize: string | null = null, onOpen?: (link: SessionLink) => void): Promise<{ first: Promise<Heard> }> {
  const socket = join(room, `${name}${++count}.sock`);
  let opened: (heard: Heard) => void = () => {};
  const first = new Promise<Heard>((resolve) => (opened = resolve));
  const server = await listenForStandIns({
    socketPath: socket,
    onFault: (fault) => { throw fault; },
    open(hello, link): SessionEvents {
      const [stdin, events] = [new Inbox(), [] as string[]];
      let end = () => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      opened({ hello, link, stdin, events, ended });
      onOpen?.(link);
      return {
        stdin: (bytes) => stdin.push(bytes.toString()),
        stdinEnd: () => void events.push('stdinEnd'),
        signal: (signal) => {
          events.push(`signal ${signal}`);
          link.exit({ code: 5, message: null });
        },
        written: () => {},
        stdout: (bytes) => void events.push(`stdout ${bytes.toString()}`),
        stderr: (bytes) => void events.push(`stderr ${bytes.toString()}`),
        exit: (exit) => void events.push(`exit ${exit.code} ${exit.message}`),
        closed: end,
      };
    },
  });
  servers.push(server);
  folder.register(name, { socket, prefixes, initialize });
  return { first };
}

const slow = { timeout: 20_000 };

test('the replay program cannot start a process', () => {
  const bundle = readFileSync(join(room, 'bin', 'stand-in-replay.cjs'), 'utf8');
  expect(bundle).not.toMatch(/(require|import)\(\W*(node:)?(child_process|worker_threads|cluster)/);
  expect(readdirSync(join(room, 'bin')).sort()).toEqual(['stand-in-record.cjs', 'stand-in-replay.cjs']);
  expect(readFileSync(join(room, 'bin', 'stand-in-record.cjs'), 'utf8')).toMatch(/require\(\W*(node:)?child_process/);
});

test('a launch without any running test is refused with 71 and written down', slow, async () => {
  const folder = makeFolder();
  const cwd = makeCwd('w');
  const { exit, log } = launch(folder, { cwd });
  expect([await exit, await log.next()]).toEqual([71, `Cannot start "codex": no test is running, a running test was expected to own "${cwd}" (docs/errors.md#launch_unregistered)`]);
  expect(folder.refused()).toMatchObject([{ provider: 'codex', argv: ['app-server'], cwd, reason: 'no test is running' }]);
  expect(folder.arrivals()).toHaveLength(1);
});

test('a launch goes to the test that owns its folder, untouched by NODE_OPTIONS of the backend', slow, async () => {
  const folder = makeFolder();
  const [a, b] = [makeCwd('a'), makeCwd('b')];
  await listen(folder, 'a', [a]);
  const heard = await listen(folder, 'b', [b]);
  const { exit } = launch(folder, { cwd: b, argv: ['app-server', 'x y'], env: { NODE_OPTIONS: '--require /nowhere.cjs', CODEX_HOME: '/h' } });
  const { hello, link } = await heard.first;
  expect(hello).toMatchObject({ provider: 'codex', argv: ['app-server', 'x y'], cwd: b, answered: [], env: { CODEX_HOME: '/h' } });
  link.accept({ mode: 'replay' });
  link.exit({ code: 3, message: null });
  expect(await exit).toBe(3);
});

test('a launch in no test\'s folder is decided by the folder that it names, and what it said goes with it', slow, async () => {
  const folder = makeFolder();
  const [a, b, elsewhere] = [makeCwd('a'), makeCwd('b'), makeCwd('else')];
  await listen(folder, 'a', [a], '{"userAgent":"agent/1"}');
  const heard = await listen(folder, 'b', [b], '{"userAgent":"agent/1"}');
  const { child, out, exit } = launch(folder, { cwd: elsewhere });
  child.stdin.write('{"id":"i","method":"initialize"}\n');
  expect(await out.next()).toBe('{"id":"i","result":{"userAgent":"agent/1"}}');
  const start = `{"id":2,"method":"thread/start","params":{"cwd":"${b}/sub"}}`;
  child.stdin.write(`{"method":"initialized"}\n${start}\n`);
  const { hello, link, stdin } = await heard.first;
  link.accept({ mode: 'replay' });
  expect(hello.answered).toEqual(['"i"']);
  expect([await stdin.next(), await stdin.next(), await stdin.next()]).toEqual(['{"id":"i","method":"initialize"}', '{"method":"initialized"}', start]);
  link.exit({ code: 0, message: null });
  expect(await exit).toBe(0);
});

test('a launch that names no test\'s folder is refused', slow, async () => {
  const folder = makeFolder();
  await listen(folder, 'a', [makeCwd('a')]);
  await listen(folder, 'b', [makeCwd('b')]);
  const { child, exit } = launch(folder, { cwd: makeCwd('else') });
  child.stdin.write('{"id":2,"method":"thread/start","params":{"cwd":"/nowhere"}}\n');
  expect(await exit).toBe(71);
  expect(folder.refused()[0]).toMatchObject({ cwd: '/nowhere', reason: 'the project folder belongs to no running test' });
});

test('a signal is told and not obeyed: the tape says how it ends', slow, async () => {
  const folder = makeFolder();
  const heard = await listen(folder, 'a', []);
  const { child, exit, out } = launch(folder, { cwd: makeCwd('w') });
  const { link, events } = await heard.first;
  link.accept({ mode: 'replay' });
  void link.write(6, Buffer.from('{"ready":true}\n'));
  await out.next();
  child.kill('SIGTERM');
  expect(await exit).toBe(5);
  expect(events).toEqual(['signal SIGTERM']);
});

test('a stand-in whose runner goes away ends with 70', slow, async () => {
  const folder = makeFolder();
  const heard = await listen(folder, 'a', []);
  const { exit, log } = launch(folder, { cwd: makeCwd('w') });
  (await heard.first).link.accept({ mode: 'replay' });
  await servers.at(-1)?.close();
  expect([await exit, await log.next()]).toEqual([70, 'Cannot go on as "codex": the runner closed the socket (docs/errors.md#shim_lost)']);
});

test('a refused launch says why and ends with the code it is given', slow, async () => {
  const folder = makeFolder();
  await listen(folder, 'a', [], null, (link) => link.refuse({ message: 'Cannot start: taken', exitCode: 71 }));
  const { exit, log } = launch(folder, { cwd: makeCwd('w') });
  expect([await exit, await log.next()]).toEqual([71, 'Cannot start: taken']);
});

function writeProgram(text: string): string {
  const path = join(room, `program${++count}`);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

const recorded = async (program: string): Promise<{ events: string[]; code: number | null }> => {
  const folder = makeFolder('record');
  const heard = await listen(folder, 'a', [], null, (link) => link.accept({ mode: 'record', program, env: { GREETING: 'hi' }, path: process.env.PATH ?? '' }));
  const { exit } = launch(folder, { cwd: makeCwd('w') });
  const { events, ended } = await heard.first;
  const code = await exit;
  await ended;
  return { events, code };
};

test('a recorded program keeps its output and its exit', slow, async () => {
  expect(await recorded(writeProgram('#!/bin/sh\necho "$GREETING $1"\nexit 7\n'))).toEqual({ code: 7, events: ['stdout hi app-server\n', 'exit 7 self'] });
});

test('a program that cannot be started ends once', slow, async () => {
  expect(await recorded(writeProgram('#!/nowhere/interpreter\n'))).toEqual({ code: 127, events: ['exit 127 self'] });
});
