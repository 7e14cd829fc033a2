import { afterEach, expect, test } from 'vitest';
import type { InputUnit, ProcessConnection, ProcessSpec } from '../core/ports.ts';
import type { TapeConnection } from '../core/tape/manifest.ts';
import type { Timing } from '../core/verdict/verdict.ts';
import { findDesk, line } from './fixtures/desk.ts';
import { FakeClock, stateOf } from './fixtures/fake-clock.ts';
import { specOf } from './fixtures/fake-live.ts';
import { connection, removeFolders, tapeOf, type Step } from './fixtures/tapes.ts';
import { LaneGates } from './lane-gates.ts';
import { ReplayTransport } from './replay-transport.ts';

afterEach(removeFolders);

const steps: readonly Step[] = [
  [1, 'outbound', { id: 1, method: 'open', params: { cwd: '${SESSION_CWD:root:1}/sub' } }],
  [1, 'stdout', '{"id":1,"result":{"session":"s","path":"${REPLAY_HOME}/x"}}\n{"method":"began"}\n'],
  [1, 'outbound', { id: 2, method: 'ask', params: { text: 'go' } }],
  [1, 'stdout', '{"id":2,"result":{}}\n{"method":"ended"}\n'],
  [1, 'exit', 0, 0, 'self'],
];
const root = (id: string, overrides: Partial<TapeConnection> = {}) => connection(1, { agentSessionId: id, launchOrdinal: 1, ...overrides });

function replay(options: { cassettes?: [cassetteId: string, root: string][]; timing?: Timing; steps?: readonly Step[]; connection?: Partial<TapeConnection> } = {}) {
  const clock = new FakeClock();
  const registrations = (options.cassettes ?? [['one', 'root']]).map(([cassetteId, rootAgentSessionId]) => ({ cassetteId, rootAgentSessionId, tape: tapeOf({ steps: options.steps ?? steps, connections: [root('root', options.connection)] }) }));
  const transport = new ReplayTransport({ registrations, clock, findProvider: findDesk, home: '/os/home', ...(options.timing ? { timing: options.timing } : {}) });
  const start = (overrides: Partial<ProcessSpec> = {}) => transport.start(specOf({ cwd: '/live/app', env: ['DESK_HOME=/live/desk', 'HOME=/live/home'], ...overrides }));
  return { transport, start, clock };
}

const open = (cwd = '/live/app/sub') => line({ id: 'a', method: 'open', params: { cwd } });
const ask = line({ id: 'b', method: 'ask', params: { text: 'go' } });

async function read(from: ProcessConnection): Promise<string> {
  const frame = await from.recv();
  if (!frame) return 'end';
  return `${frame.stamp.connectionId}/${frame.stamp.chunkSeq} ${frame.kind === 'exit' ? `exit ${frame.exitCode}` : frame.bytes.toString()}`;
}

async function playThrough(from: ProcessConnection): Promise<void> {
  await from.send(open());
  await read(from);
  await from.send(ask);
  await read(from);
  await read(from);
}

test('a session is replayed with its recorded positions, live ids and live folders', async () => {
  const { transport, start } = replay();
  const live = await start();
  await live.send(open());
  expect(await read(live)).toBe('connection-1/2 {"id":"a","result":{"session":"s","path":"/live/desk/x"}}\n{"method":"began"}\n');
  await live.send(ask);
  expect([await read(live), await read(live), await read(live)]).toEqual(['connection-1/4 {"id":"b","result":{}}\n{"method":"ended"}\n', 'connection-1/5 exit 0', 'end']);
  await live.close();
  expect([transport.cassette('one').isDrained, transport.cassette('one').findMissing(), live.captureOrigin?.()]).toEqual([true, null, 'process-start']);
});

test('a launch without a home of its own gets the one of the system', async () => {
  const { start } = replay();
  const live = await start({ env: [] });
  await live.send(open());
  expect(await read(live)).toContain('"path":"/os/home/x"');
});

test('the folder of the protocol stands behind the token, where there is one', async () => {
  const { start } = replay();
  const live = await start({ cwd: '/', protocolCwd: '/proto/app' });
  await live.send(open('/proto/app/sub'));
  expect(await read(live)).toContain('"id":"a"');
});

test('several messages in one send are matched one by one', async () => {
  const { start } = replay({ steps: [[1, 'outbound', { method: 'a' }], [1, 'outbound', { method: 'b' }], [1, 'exit', 0, 0, 'self']] });
  const live = await start();
  await live.send(Buffer.from('{"method":"a"}\n{"method":"b"}\n'));
  expect(await read(live)).toBe('connection-1/3 exit 0');
});

test.each<[string, [string, string][], string]>([
  ['none', [], 'there is none'],
  ['a blank cassette', [[' ', 'root']], 'is blank'],
  ['a blank root', [['one', '']], 'is blank'],
  ['a cassette twice', [['one', 'root'], [' one', 'other']], 'cassette "one" is there twice'],
  ['a root twice', [['one', 'root'], ['two', 'root ']], 'root session "root" is there twice'],
])('registrations with %s are refused', (_title, cassettes, message) => {
  expect(() => replay({ cassettes })).toThrow(expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining(message) as string }));
});

test.each<[string, Partial<ProcessSpec>, string]>([
  ['an unknown root', { agentSessionId: 'stranger' }, 'has no registered root session'],
  ['a child of an unknown root', { agentSessionId: 'root', rootAgentSessionId: 'stranger' }, 'has no registered root session'],
  ['no session', { agentSessionId: ' ' }, 'belongs to no session'],
])('a launch of %s is refused and judged in every cassette', async (_title, overrides, message) => {
  const { transport, start } = replay({ cassettes: [['one', 'root'], ['two', 'root-2']] });
  await expect(start(overrides)).rejects.toMatchObject({ code: 'launch_unregistered', message: expect.stringContaining(message) as string });
  for (const id of ['one', 'two']) {
    const { register, launches } = transport.cassette(id);
    expect([register.first, launches]).toMatchObject([{ layer: 'transport', code: 'launch_unmatched', message: expect.stringContaining(message) as string }, { arrived: 1, refused: 1 }]);
  }
});

test('a launch of a stranger that the product swallows leaves no green replay behind', async () => {
  const { transport, start } = replay();
  const live = await start();
  await start({ agentSessionId: 'helper' }).catch(() => {});
  await expect(live.send(open())).rejects.toMatchObject({ code: 'playback_refused' });
  expect(transport.cassette('one').findMissing()).toMatchObject({ layer: 'transport', code: 'launch_unmatched', live: 'helper' });
});

test('a launch that the tape does not have is refused and judged', async () => {
  const { transport, start } = replay();
  await start();
  await expect(start()).rejects.toMatchObject({ code: 'playback_refused' });
  expect(transport.cassette('one').register.first).toMatchObject({ layer: 'transport', code: 'launch_unmatched' });
});

test('an unknown cassette cannot be controlled', () => {
  expect(() => replay().transport.cassette('two')).toThrow('it is not registered, one of one was needed');
});

test('cassettes of a batch are independent: routing, failure and time', async () => {
  const { transport, start, clock } = replay({ cassettes: [['one', 'root-1'], ['two', 'root-2']], timing: 'recorded' });
  const [one, two] = [await start({ agentSessionId: 'root-1' }), await start({ agentSessionId: 'root-2' })];
  await expect(one.send(ask)).rejects.toMatchObject({ code: 'playback_refused' });
  transport.cassette('one').playback.pause();
  transport.cassette('one').playback.setSpeed(2);
  await clock.advance(10);
  await playThrough(two);
  expect([transport.cassette('one').register.first?.code, transport.cassette('two').register.first, transport.cassette('two').isDrained]).toEqual(['outbound_mismatch', null, true]);
  expect([transport.cassette('two').playback.speed, transport.cassette('two').playback.isPaused]).toEqual([1, false]);
});

test('close() of a connection that is not drained says how far it came, once, and lets readers go', async () => {
  const { start } = replay();
  const live = await start();
  const reading = live.recv();
  await expect(live.close()).rejects.toThrow('Cannot close connection-1: it consumed 0 of 5 chunks, all were needed');
  expect(await reading).toBe(null);
  await live.close();
  await expect(live.send(open())).rejects.toThrow('it is closed');
});

test.each([
  ['closeInput', 'stdin-eof'],
  ['terminate', 'signal:SIGTERM'],
  ['kill', 'signal:SIGKILL'],
] as const)('%s() releases the exit that the product brought about', async (call, cause) => {
  const { start } = replay({ steps: [...steps.slice(0, 4), [1, 'exit', 0, 0, cause]] });
  const live = await start();
  await live.send(open());
  await read(live);
  await live.send(ask);
  await read(live);
  const reading = live.recv();
  expect((await stateOf(reading)).is).toBe('waiting');
  live[call]?.();
  expect(await reading).toMatchObject({ kind: 'exit', exitCode: 0, message: cause });
  await live.close();
});

test('a connection that was attached live says so', async () => {
  const live = await replay({ connection: { captureOrigin: 'attached-live-connection' } }).start();
  expect(live.captureOrigin?.()).toBe('attached-live-connection');
});

const unit = (chunkSeq: number, unitIndex: number, connectionId = 'connection-1'): InputUnit => ({ kind: 'protocol-message', position: { connectionId, chunkSeq, unitIndex } });

test('a handled unit parks at its target until the targets change or the connection closes', async () => {
  const { transport, start } = replay();
  const live = await start();
  transport.setTargets('one', [unit(2, 2).position]);
  await live.send(open());
  await read(live);
  await live.completeProviderInputUnit?.(unit(2, 1));
  const parked = live.completeProviderInputUnit!(unit(2, 2));
  expect((await stateOf(parked)).is).toBe('waiting');
  transport.cassette('one').barrier.clear();
  await parked;
  transport.setTargets('one', [unit(4, 2).position]);
  const again = live.completeProviderInputUnit!(unit(4, 2));
  expect((await stateOf(again)).is).toBe('waiting');
  await live.close().catch(() => {});
  expect((await stateOf(again)).is).toBe('done');
  expect(transport.tracksProviderInputUnits).toBe(true);
});

test.each<[string, (transport: ReplayTransport, live: ProcessConnection) => Promise<void> | void]>([
  ['a unit beyond its target', (transport, live) => (transport.setTargets('one', [unit(2, 1).position]), live.completeProviderInputUnit!(unit(2, 2)))],
  ['a target behind what was handled', async (transport, live) => {
    await live.completeProviderInputUnit!(unit(4, 1));
    transport.setTargets('one', [unit(2, 1).position]);
  }],
])('%s is a divergence of the transport', async (_title, overshoot) => {
  const { transport, start } = replay();
  const live = await start();
  await expect((async () => overshoot(transport, live))()).rejects.toMatchObject({ code: 'checkpoint_provider_overshot' });
  expect(transport.cassette('one').register.first).toMatchObject({ layer: 'transport', code: 'checkpoint_provider_overshot', lane: 'connection-1' });
  await expect(live.send(open())).rejects.toMatchObject({ code: 'playback_refused' });
});

test('targets that nobody can hold are a wrong call, not a divergence', () => {
  const { transport } = replay();
  expect(() => transport.setTargets('one', [unit(1, 1).position, unit(2, 1).position])).toThrow('two targets');
  expect(transport.cassette('one').register.first).toBe(null);
});

test('a unit without a position is not held', async () => {
  const { transport, start } = replay();
  const live = await start();
  transport.setTargets('one', [unit(2, 1).position]);
  await live.completeProviderInputUnit?.(unit(0, 1));
  await live.completeProviderInputUnit?.(unit(1, 1, ''));
});

test('a gated connection hands out nothing before its lane may begin, and tells of each unit before it is held', async () => {
  const clock = new FakeClock();
  const gates = new LaneGates([{ id: 'accept 1', lanes: [] }]);
  const units: string[] = [];
  let moves = 0;
  const transport = new ReplayTransport({
    registrations: [{ cassetteId: 'one', rootAgentSessionId: 'root', tape: tapeOf({ steps, connections: [root('root')] }) }],
    clock,
    findProvider: findDesk,
    createBarrier: () => gates,
    onUnit: ({ position }) => units.push(`${position.chunkSeq}.${position.unitIndex} ${gates.hasHandled(position) ? 'handled' : 'new'}`),
    onProgress: () => moves++,
  });
  const live = await transport.start(specOf({ cwd: '/live/app', env: ['DESK_HOME=/live/desk'] }));
  await live.send(open());
  const frame = live.recv();
  expect((await stateOf(frame)).is).toBe('waiting');
  gates.lift('accept 1');
  expect((await stateOf(frame)).is).toBe('done');
  transport.setTargets('one', [{ connectionId: 'connection-1', chunkSeq: 2, unitIndex: 1 }]);
  const parked = live.completeProviderInputUnit?.({ position: { connectionId: 'connection-1', chunkSeq: 2, unitIndex: 1 }, kind: 'protocol-message' });
  expect([(await stateOf(Promise.resolve(parked))).is, units, moves > 0]).toEqual(['waiting', ['2.1 new'], true]);
});

test('a frame that was taken while its lane was free is kept when the lane is held or the wait given up', async () => {
  const gates = new LaneGates([]);
  const transport = new ReplayTransport({ registrations: [{ cassetteId: 'one', rootAgentSessionId: 'root', tape: tapeOf({ steps, connections: [root('root')] }) }], clock: new FakeClock(), findProvider: findDesk, createBarrier: () => gates });
  const live = await transport.start(specOf({ cwd: '/live/app', env: ['DESK_HOME=/live/desk'] }));
  const stop = new AbortController();
  const waiting = live.recv(stop.signal);
  transport.setTargets('one', []);
  await live.send(open());
  expect((await stateOf(waiting)).is).toBe('waiting');
  stop.abort();
  expect(await stateOf(waiting)).toEqual({ is: 'done', value: null });
  gates.clear();
  expect(await read(live)).toContain('connection-1/2 {"id":"a"');
});
