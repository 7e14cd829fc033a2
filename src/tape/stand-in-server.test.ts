import { statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Fault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import { wireKinds, type Hello } from '../core/shim/wire.ts';
import { desk, findDesk, line } from './fixtures/desk.ts';
import { hello, Shim } from './fixtures/hand-shim.ts';
import { MemoryDisk } from './fixtures/memory-disk.ts';
import { connection, makeFolder, removeFolders, tapeOf, type Step } from './fixtures/tapes.ts';
import { CassettePlayer } from './cassette-player.ts';
import { InputBarrier } from './input-barrier.ts';
import { nodeClock } from './node-clock.ts';
import { PlaybackClock } from './playback-clock.ts';
import { createRecordSessions } from './record-session.ts';
import { createReplaySessions, type ReplaySession } from './replay-session.ts';
import { listenForStandIns, type OpenSession, type SessionEvents, type StandInServer } from './stand-in-server.ts';
import { Change } from '../core/signal.ts';
import { plainSessionId } from '../core/tape/manifest.ts';
import { TapeWriter } from './writer.ts';

const servers: StandInServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  removeFolders();
});

async function serve(open: OpenSession, onFault: (fault: Fault) => void = (fault) => { throw fault; }): Promise<{ shim: () => Shim; server: StandInServer; path: string }> {
  const path = join(makeFolder(), 'tape.sock');
  const server = await listenForStandIns({ socketPath: path, open, onFault });
  servers.push(server);
  return { shim: () => new Shim(path), server, path };
}

const ask = (id: number, text = 'go') => ({ id, method: 'ask', params: { text } });
const steps: readonly Step[] = [[1, 'outbound', ask(1)], [1, 'stdout', '{"id":1,"result":1}\n{"method":"began"}\n{"method":"ended"}\n']];

async function replay(of: readonly Step[] = steps, connections = [connection(1)], version?: string) {
  const tape = tapeOf({ steps: of, connections, ...(version ? { manifest: { recordedWith: { playhead: '0', platform: 'x', provider: { name: 'desk', version } } } } : {}) });
  const cassette = new CassettePlayer({ tape, clock: nodeClock, playback: new PlaybackClock(nodeClock, 'instant'), barrier: new InputBarrier('free'), select: 'content' });
  const sent: unknown[] = [];
  const sessions: ReplaySession[] = [];
  const faults: Fault[] = [];
  const onFault = (fault: Fault) => {
    faults.push(fault);
    cassette.moved.announce();
  };
  const { shim, server } = await serve(createReplaySessions({ cassette, findProvider: findDesk, cwds: ['/live'], onSent: (message) => void sent.push(message), onSession: (session) => void sessions.push(session) }), onFault);
  const start = async (overrides: Partial<Hello> = {}) => {
    const started = shim();
    started.say(wireKinds.hello, hello(overrides));
    return started;
  };
  return { cassette, start, sent, sessions, server, faults };
}

test('a socket is its owner\'s alone, and what is no stand-in is cut off', async () => {
  const { shim, path, server } = await serve(() => {
    throw new Error('nobody said hello');
  });
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  const stranger = shim();
  stranger.socket.write(Buffer.from([1, 255, 255, 255, 255]));
  expect(await stranger.hear()).toBe('closed');
  const babbler = shim();
  babbler.say(wireKinds.hello, 'good day');
  expect(await babbler.hear()).toBe('closed');
  await server.close();
});

const quiet: SessionEvents = { stdin() {}, stdinEnd() {}, signal() {}, written() {}, stdout() {}, stderr() {}, exit() {}, closed() {} };
const broken = () => {
  throw new Error('our own bug');
};

test.each<[string, OpenSession]>([
  ['of the opening', broken],
  ['of an event', () => ({ ...quiet, stdin: broken })],
  ['of the end', (_hello, link) => ({ ...quiet, stdin: () => link.refuse({ message: '', exitCode: 70 }), closed: broken })],
  ['that a session reports', (_hello, link) => ({ ...quiet, stdin: () => void Promise.reject(new Error('our own bug')).catch(link.fail) })],
])('an error of ours %s reaches the owner of the server, and the stand-in is cut off', async (_title, open) => {
  const faults: Fault[] = [];
  const heard = new Change();
  const { shim } = await serve(open, (fault) => {
    faults.push(fault);
    heard.announce();
  });
  const started = shim();
  started.say(wireKinds.hello, hello());
  started.say(wireKinds.stdin, line(ask(1)));
  while (!started.isClosed) await started.hear();
  while (faults.length === 0) await heard.next();
  expect(faults.map(({ code, message }) => [code, message])).toEqual([['internal_error', 'Cannot serve a stand-in: our own bug, no error was expected']]);
});

test('a socket path that is too long is refused before it is tried', async () => {
  await expect(listenForStandIns({ socketPath: `/tmp/${'x'.repeat(120)}`, open: () => { throw new Error('never'); }, onFault: () => {} })).rejects.toMatchObject({ code: 'socket_path_too_long' });
});

test('lines are matched whatever the reads were, and blank ones say nothing', async () => {
  const { start, sent, cassette } = await replay();
  const shim = await start();
  expect(await shim.hear()).toBe('accept {"mode":"replay"}');
  const bytes = Buffer.concat([Buffer.from('\n'), line(ask(5))]);
  shim.say(wireKinds.stdin, bytes.subarray(0, 8));
  shim.say(wireKinds.stdin, bytes.subarray(8));
  expect(await shim.hear()).toBe('stdout {"id":5,"result":1}\n{"method":"began"}\n{"method":"ended"}\n');
  expect([sent, cassette.isDrained]).toEqual([[ask(5)], true]);
});

test('a refused request and an absorbed one are answered, so that nobody hangs', async () => {
  const { start } = await replay();
  const shim = await start();
  await shim.hear();
  shim.say(wireKinds.stdin, line({ id: 8, method: 'peek' }));
  expect(await shim.hear()).toBe('stdout {"id":8,"error":{"message":"not recorded"}}\n');
  shim.say(wireKinds.stdin, line(ask(1, 'no')));
  expect(await shim.hear()).toContain('{"id":1,"error":{"message":"Playhead: Cannot continue replay: desk was sent');
  shim.say(wireKinds.stdin, line(ask(2)));
  expect(await shim.hear()).toContain('{"id":2,"error":{"message":"Playhead: Cannot continue replay: desk was sent');
});

test('an unfinished line at the end of input is a divergence', async () => {
  const { start, cassette } = await replay();
  const shim = await start();
  await shim.hear();
  shim.say(wireKinds.stdin, Buffer.from('{"id":1,'));
  shim.say(wireKinds.stdinEnd);
  expect(await shim.hear()).toBe('exit {"code":0,"message":"stdin-eof"}');
  expect(cassette.register.first).toMatchObject({ layer: 'protocol', code: 'outbound_unfinished', live: '{"id":1,' });
});

test('a line without an end is read up to its limit and is a divergence there', async () => {
  const { start, cassette } = await replay();
  const shim = await start();
  await shim.hear();
  const reported = new Promise((resolve) => cassette.register.onFirst(resolve));
  for (let sent = 0; sent <= limits.messageBytesMax; sent += 4_194_304) shim.say(wireKinds.stdin, Buffer.alloc(4_194_304, 'x'));
  expect(await reported).toMatchObject({ layer: 'protocol', code: 'outbound_unfinished' });
  shim.say(wireKinds.stdin, Buffer.from('\n'));
  shim.say(wireKinds.stdinEnd);
  expect(await shim.hear()).toMatch(/^exit /);
});

test.each(['recv', 'send'] as const)('an error of the player while it does %s is a fault, no unhandled rejection', async (method) => {
  const { start, cassette, faults } = await replay();
  const { launch } = cassette;
  cassette.launch = (request) => Object.assign(launch.call(cassette, request), { [method]: () => Promise.reject(new Error('out of order')) });
  const shim = await start();
  shim.say(wireKinds.stdin, line(ask(1)));
  while (faults.length === 0) await cassette.moved.next();
  expect(faults.map(({ code, message }) => [code, message])).toEqual([['internal_error', 'Cannot serve a stand-in: out of order, no error was expected']]);
});

test('a stand-in that goes away without an end is lost, unless all was read', async () => {
  const lost = await replay();
  const shim = await lost.start();
  await shim.hear();
  const reported = new Promise((resolve) => lost.cassette.register.onFirst(resolve));
  shim.socket.destroy();
  expect(await reported).toMatchObject({ layer: 'transport', code: 'shim_lost' });

  const whole = await replay();
  const good = await whole.start();
  await good.hear();
  good.say(wireKinds.stdin, line(ask(1)));
  await good.hear();
  good.socket.destroy();
  while (whole.server.openCount() > 0) await whole.cassette.moved.next();
  expect(whole.cassette.register.first).toBe(null);
});

test('a lane parks at a target in the middle of a chunk, and only what was written counts', async () => {
  const { start, cassette } = await replay();
  cassette.barrier.setTargets([{ connectionId: 'connection-1', chunkSeq: 2, unitIndex: 2 }]);
  const shim = await start();
  await shim.hear();
  shim.say(wireKinds.stdin, line(ask(1)));
  const first = '{"id":1,"result":1}\n{"method":"began"}\n';
  expect(await shim.hear()).toBe(`stdout ${first}`);
  expect(cassette.barrier.handledAt('connection-1')).toBe(null);
  const reached = cassette.barrier.reached({ connectionId: 'connection-1', chunkSeq: 2, unitIndex: 2 });
  shim.say(wireKinds.written, String(first.length));
  expect(await reached).toBe(true);
  cassette.barrier.clear();
  expect(await shim.hear()).toBe('stdout {"method":"ended"}\n');
});

test('a session is heard when the product has what the tape gave out, and not before', async () => {
  const { start, sessions, cassette } = await replay();
  const shim = await start();
  await shim.hear();
  expect(sessions[0]?.isHeard()).toBe(true);
  shim.say(wireKinds.stdin, line({ id: 8, method: 'peek' }));
  const answer = (await shim.hear()).slice('stdout '.length);
  shim.say(wireKinds.stdin, line(ask(1)));
  const played = (await shim.hear()).slice('stdout '.length);
  expect([cassette.isDrained, sessions[0]?.isHeard()]).toEqual([true, false]);
  expect(sessions[0]?.describeUnheard()).toMatchObject({ layer: 'transport', code: 'not_drained', position: { connectionId: 'connection-1', chunkSeq: 2 } });
  const confirmed = async (byteCount: number) => {
    const moved = cassette.moved.next();
    shim.say(wireKinds.written, String(byteCount));
    await moved;
    return sessions[0]?.isHeard();
  };
  expect([await confirmed(answer.length), await confirmed(answer.length + played.length - 1), await confirmed(answer.length + played.length)]).toEqual([false, false, true]);
});

test('a stand-in that goes away in the middle of the last chunk is lost', async () => {
  const { start, sessions, cassette } = await replay();
  cassette.barrier.setTargets([{ connectionId: 'connection-1', chunkSeq: 2, unitIndex: 2 }]);
  const shim = await start();
  await shim.hear();
  shim.say(wireKinds.stdin, line(ask(1)));
  const first = (await shim.hear()).slice('stdout '.length);
  shim.say(wireKinds.written, String(first.length));
  await cassette.barrier.reached({ connectionId: 'connection-1', chunkSeq: 2, unitIndex: 2 });
  expect([cassette.isDrained, sessions[0]?.isHeard()]).toEqual([true, false]);
  const reported = new Promise((resolve) => cassette.register.onFirst(resolve));
  shim.socket.destroy();
  expect(await reported).toMatchObject({ layer: 'transport', code: 'shim_lost' });
});

test('the runner ends a stand-in with the recorded code, once', async () => {
  const { start, sessions } = await replay([...steps, [1, 'exit', 6, 0, 'signal:SIGTERM']]);
  const shim = await start();
  await shim.hear();
  expect(sessions[0]?.isOpen()).toBe(true);
  sessions[0]?.end();
  sessions[0]?.end();
  expect(await shim.hear()).toBe('exit {"code":6,"message":"ended by the runner"}');
});

test.each<[string, string[], string | undefined, string[]]>([
  ['is played as bytes, as often as it is asked', ['--version'], undefined, ['stdout desk 1.2\n', 'exit {"code":0,"message":"self"}']],
  ['is refused with other arguments', ['--version', '--json'], undefined, []],
])('a plain launch %s', async (_title, argv, version, frames) => {
  const { start, cassette } = await replay([[1, 'stdout', 'desk 1.2\n'], [1, 'exit', 0, 0, 'self']], [connection(1, { agentSessionId: plainSessionId, argv: ['--version'] })], version);
  for (let n = 0; n < (frames.length > 0 ? 2 : 1); n++) {
    const shim = await start({ argv });
    if (frames.length === 0) expect(await shim.hear()).toMatch(/^refuse .*"exitCode":71/);
    else expect([await shim.hear(), await shim.hear(), await shim.hear()]).toEqual(['accept {"mode":"replay"}', ...frames]);
  }
  expect(cassette.register.first?.code ?? null).toBe(frames.length > 0 ? null : 'launch_unmatched');
});

test('a version that is not on the tape is answered from who recorded it', async () => {
  const { start } = await replay([], [connection(1)], '9.9.9');
  const shim = await start({ argv: ['--version'] });
  await shim.hear();
  expect(await shim.hear()).toBe('stdout desk-cli 9.9.9\n');
});

async function recording(findProvider = findDesk, hasProgram = true) {
  const disk = new MemoryDisk();
  const writer = new TapeWriter({ folder: 't', disk });
  const faults: string[] = [];
  const closed = new Change();
  const sessions = createRecordSessions({
    writer,
    clock: nodeClock,
    findProvider,
    programFor: () => (hasProgram ? { program: '/bin/desk', path: '/bin', env: { DESK_HOME: '/srv/lab/home' } } : null),
    cwds: ['/srv/lab/app'],
    machine: { roots: ['/srv/lab'], host: 'box-17', user: 'ada' },
    onVersion: () => {},
    onMessage: () => {},
    onFault: (fault) => void faults.push(fault.code),
  });
  let openCount = 0;
  const { shim } = await serve((said, link) => {
    openCount++;
    const events = sessions(said, link);
    return { ...events, closed: () => { events.closed(); openCount--; closed.announce(); } };
  });
  const start = (overrides: Partial<Hello> = {}) => {
    const started = shim();
    started.say(wireKinds.hello, hello(overrides));
    return started;
  };
  const allClosed = async () => {
    while (openCount > 0) await closed.next();
  };
  const stored = () => disk.lines('t/frames.jsonl').map((chunk) => `${String(chunk.kind)} ${Buffer.from(String(chunk.data ?? ''), 'base64').toString()}${String(chunk.message ?? '')}`);
  const rawData = (index: number) => Buffer.from(String(disk.lines('t/frames.jsonl')[index]?.data), 'base64');
  return { writer, faults, start, allClosed, stored, rawData };
}

test('a recorded launch is told its program, and one line is one outbound chunk', async () => {
  const { writer, start, allClosed, stored } = await recording();
  const shim = start();
  expect(await shim.hear()).toBe('accept {"mode":"record","program":"/bin/desk","path":"/bin","env":{"DESK_HOME":"/srv/lab/home"}}');
  shim.say(wireKinds.stdin, Buffer.from('{"method":"a"}\n\n{"meth'));
  shim.say(wireKinds.stdin, Buffer.from('od":"b","params":{"cwd":"/srv/lab/app"}}\n'));
  shim.say(wireKinds.stdout, Buffer.from('{"method":"c","params":{"path":"/srv/lab/home/x"}}\n'));
  shim.say(wireKinds.stderr, Buffer.from('ada@box-17\n'));
  shim.say(wireKinds.stdinEnd);
  shim.say(wireKinds.exit, { code: 0, message: 'stdin-eof' });
  shim.socket.end();
  await once(shim.socket, 'close');
  await allClosed();
  writer.finalize(null);
  expect(stored()).toEqual(['outbound {"method":"a"}\n', 'outbound {"method":"b","params":{"cwd":"${SESSION_CWD:wrap:1}"}}\n', 'stdout {"method":"c","params":{"path":"${REPLAY_HOME}/x"}}\n', 'stderr replay-user@replay-host\n', 'exit stdin-eof']);
});

test('launches that speak no protocol do not count in the ordinals, and their bytes are kept', async () => {
  const { writer, start, allClosed, rawData } = await recording();
  for (const argv of [['--version'], ['serve'], ['--version']]) {
    const shim = start({ argv });
    await shim.hear();
    shim.say(wireKinds.stdout, argv[0] === 'serve' ? Buffer.from('{"method":"x"}\n') : Buffer.from([0x31, 0xff, 0x0a]));
    shim.socket.end();
    await once(shim.socket, 'close');
    await allClosed();
  }
  const manifest = writer.finalize(null);
  expect(manifest.connections.map((c) => `${c.agentSessionId} ${c.launchOrdinal} ${c.argv?.join(' ')}`)).toEqual(['wrap-plain 1 --version', 'wrap 1 serve', 'wrap-plain 2 --version']);
  expect(rawData(0)).toEqual(Buffer.from([0x31, 0xff, 0x0a]));
});

test.each<[string, (name: string) => typeof desk | null, boolean, string]>([
  ['without an adapter', () => null, true, 'provider_unknown'],
  ['without a program behind it', findDesk, false, 'provider_missing'],
])('a launch %s is refused', async (_title, find, hasProgram, code) => {
  const { start, faults } = await recording(find, hasProgram);
  expect(await start().hear()).toMatch(/^refuse .*"exitCode":70/);
  expect(faults).toEqual([code]);
});

test('what may not be recorded ends the launch', async () => {
  const { start, faults } = await recording();
  const shim = start();
  await shim.hear();
  shim.say(wireKinds.stdin, line({ id: 1, method: 'login' }));
  expect(await shim.hear()).toMatch(/^refuse .*credential method/);
  expect(faults[0]).toBe('credential_method');
});
