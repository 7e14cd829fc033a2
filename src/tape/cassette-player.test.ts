import { afterEach, expect, test } from 'vitest';
import type { TapeConnection } from '../core/tape/manifest.ts';
import type { Timing } from '../core/verdict/verdict.ts';
import { CassettePlayer, isOptional, type LaunchRequest } from './cassette-player.ts';
import { line } from './fixtures/desk.ts';
import { FakeClock } from './fixtures/fake-clock.ts';
import { connection, removeFolders, tapeOf, type Step } from './fixtures/tapes.ts';
import { InputBarrier } from './input-barrier.ts';
import { PlaybackClock } from './playback-clock.ts';
import type { ConnectionPlayer } from './player.ts';

afterEach(removeFolders);

function open(options: { steps: readonly Step[]; connections: TapeConnection[]; select?: 'identity' | 'content'; timing?: Timing }) {
  const clock = new FakeClock();
  const cassette = new CassettePlayer({ tape: tapeOf(options), clock, playback: new PlaybackClock(clock, options.timing ?? 'instant'), barrier: new InputBarrier('free'), select: options.select ?? 'content' });
  const launch = (request: Partial<LaunchRequest> = {}) => cassette.launch({ provider: 'desk', argv: [], agentSessionId: 'wrap', rootAgentSessionId: '', cwds: ['/live'], homes: [], ...request });
  const start = (request: Partial<LaunchRequest> = {}): ConnectionPlayer => {
    const player = launch(request);
    if (!('send' in player)) throw new Error(player.message);
    return player;
  };
  return { cassette, clock, launch, start };
}

const hello = (id: number) => ({ id, method: 'open', params: {} });
const ask = (id: number, session: string, text: string) => ({ id, method: 'ask', params: { session, text } });

/** Several connections that begin alike and go on with other prompts; all answers of one connection carry its session. */
function sessions(prompts: string[][]): { steps: Step[]; connections: TapeConnection[] } {
  const steps = prompts.flatMap((texts, i): Step[] => {
    const n = i + 1;
    const session = `s-${n}`;
    const turns = texts.flatMap((text, turn): Step[] => [
      [n, 'outbound', ask(turn + 2, session, text)],
      [n, 'stdout', `{"id":${turn + 2},"result":{}}\n{"method":"ended","params":{"session":"${session}","by":"${text}"}}\n`],
    ]);
    return [[n, 'outbound', hello(1)], [n, 'stdout', { id: 1, result: { session } }], ...turns];
  });
  return { steps, connections: prompts.map((_, i) => connection(i + 1)) };
}

/** Opens a session and gives its id as the launch sees it. */
async function greet(player: ConnectionPlayer): Promise<string> {
  await player.send(line(hello(1)));
  return sessionIn(await read(player));
}

async function read(player: ConnectionPlayer): Promise<string> {
  const frame = await player.recv();
  return frame && frame.kind !== 'exit' ? frame.bytes.toString() : 'end';
}

const sessionIn = (text: string) => /"session":"([^"]+)"/.exec(text)?.[1] ?? '';
const laneOf = (player: ConnectionPlayer) => player.lane.connection.connectionId;

test('two launches in another order than recorded swap their connections, and ids are translated both ways', async () => {
  const { cassette, start } = open(sessions([['one'], ['two']]));
  const [a, b] = [start(), start()];
  const [sa, sb] = [await greet(a), await greet(b)];
  expect([sa, sb]).toEqual(['s-1', 's-2']);
  await a.send(line(ask(2, sa, 'two')));
  expect([laneOf(a), laneOf(b)]).toEqual(['connection-2', 'connection-1']);
  expect(await read(a)).toBe('{"id":2,"result":{}}\n{"method":"ended","params":{"session":"s-1","by":"two"}}\n');
  await b.send(line(ask(2, sb, 'one')));
  expect(await read(b)).toContain('{"session":"s-2","by":"one"}');
  expect([cassette.isDrained, cassette.register.first, cassette.findMissing()]).toEqual([true, null, null]);
});

test('a launch moves to a connection that is free, and the next one takes the place', async () => {
  const { cassette, start } = open(sessions([['one'], ['two']]));
  const a = start();
  await a.send(line(ask(2, await greet(a), 'two')));
  expect(laneOf(a)).toBe('connection-2');
  await read(a);
  const b = start();
  expect(laneOf(b)).toBe('connection-1');
  await b.send(line(ask(2, await greet(b), 'one')));
  await read(b);
  expect(cassette.isDrained).toBe(true);
});

test('a launch moves although a recorded probe was left out before', async () => {
  const peek = (n: number): Step[] => [[n, 'outbound', { id: 9, method: 'peek' }], [n, 'stdout', { id: 9, result: {} }]];
  const { steps, connections } = sessions([['one'], ['two']]);
  const withPeeks = steps.flatMap((step, i): Step[] => (i % 4 === 2 ? [...peek(step[0]), step] : [step]));
  const { cassette, start } = open({ steps: withPeeks, connections });
  const a = start();
  const session = await greet(a);
  const sending = a.send(line(ask(2, session, 'two')));
  const reading = read(a);
  await sending;
  expect(laneOf(a)).toBe('connection-2');
  expect(await reading).toBe('{"id":2,"result":{}}\n{"method":"ended","params":{"session":"s-1","by":"two"}}\n');
  expect(cassette.register.first).toBeNull();
});

test('a launch moves before it has received anything', async () => {
  const { start } = open({ steps: [[1, 'outbound', ask(1, 's', 'one')], [1, 'stdout', { id: 1, result: 1 }], [2, 'outbound', ask(1, 's', 'two')], [2, 'stdout', { id: 1, result: 2 }]], connections: [connection(1), connection(2)] });
  const [a, b] = [start(), start()];
  await a.send(line(ask(9, 's', 'two')));
  await b.send(line(ask(9, 's', 'one')));
  expect([await read(a), await read(b)]).toEqual(['{"id":9,"result":2}\n', '{"id":9,"result":1}\n']);
});

test('equal connections go to the launches by their order', async () => {
  const { cassette, start } = open(sessions([['same'], ['same']]));
  for (const player of [start(), start()]) {
    await player.send(line(ask(2, await greet(player), 'same')));
    await read(player);
  }
  expect(cassette.players.map(laneOf)).toEqual(['connection-1', 'connection-2']);
});

test('several fitting connections that go on alike: the lowest is taken', async () => {
  const { start } = open(sessions([['one'], ['two', 'x'], ['two', 'x']]));
  const a = start();
  await a.send(line(ask(2, await greet(a), 'two')));
  expect(laneOf(a)).toBe('connection-2');
});

test('several fitting connections that go on otherwise are ambiguous', async () => {
  const { cassette, start } = open(sessions([['one'], ['two', 'x'], ['two', 'y']]));
  const a = start();
  await expect(a.send(line(ask(2, await greet(a), 'two')))).rejects.toThrow('fits connection-2, connection-3');
  expect(cassette.register.first).toMatchObject({ layer: 'transport', code: 'launch_ambiguous' });
});

test('a launch that is moved while it waits for the time of a chunk does not take that place on the other connection', async () => {
  const { steps, connections } = sessions([['one'], ['two']]);
  const told = steps.flatMap((step): Step[] => (step[0] === 2 && step[1] === 'stdout' && typeof step[2] === 'object' ? [step, [2, 'stderr', 'a late log\n', 1_000]] : [step]));
  const { cassette, clock, start } = open({ steps: told, connections, timing: 'recorded' });
  const [a, b] = [start(), start()];
  const [sa, sb] = [await greet(a), await greet(b)];
  const late = b.recv();
  await clock.advance(500);
  await a.send(line(ask(2, sa, 'two')));
  expect(laneOf(b)).toBe('connection-1');
  await clock.advance(1_000);
  await b.send(line(ask(2, sb, 'one')));
  expect([(await late)?.kind, await read(a)]).toMatchObject(['stdout', expect.stringContaining('"by":"two"') as string]);
  expect([cassette.register.first, cassette.isDrained]).toEqual([null, true]);
});

test('a launch that has sent what no other connection has stays where it is', async () => {
  const { cassette, start } = open(sessions([['one', 'x'], ['two', 'y']]));
  const a = start();
  await a.send(line(ask(2, await greet(a), 'one')));
  await read(a);
  await expect(a.send(line(ask(3, 's-1', 'y')))).rejects.toThrow('another $.params.text');
  expect([cassette.register.first?.code, laneOf(a)]).toEqual(['outbound_mismatch', 'connection-1']);
});

test('a launch does not move where what it received was another story', async () => {
  const { steps, connections } = sessions([['one'], ['two']]);
  const told = steps.map((step): Step => (step[0] === 2 && step[1] === 'stdout' && typeof step[2] === 'object' ? [2, 'stdout', { id: 1, result: { session: 's-2', offer: 'tea' } }] : step));
  const { cassette, start } = open({ steps: told, connections });
  const a = start();
  await expect(a.send(line(ask(2, await greet(a), 'two')))).rejects.toThrow('Cannot continue replay');
  expect(cassette.register.first?.code).toBe('outbound_mismatch');
});

test('a launch fits a recorded connection by provider and arguments', () => {
  const { cassette, launch, start } = open({ steps: [], connections: [connection(1, { argv: ['serve', '${SESSION_CWD:wrap:1}/a'] }), connection(2, { argv: ['chat'] })] });
  expect(laneOf(start({ argv: ['chat'] }))).toBe('connection-2');
  expect(laneOf(start({ provider: ' Desk', argv: ['serve', '${SESSION_CWD}/a'] }))).toBe('connection-1');
  expect(launch({ argv: ['chat'] })).toMatchObject({ layer: 'transport', code: 'launch_unmatched', live: 'desk chat' });
  expect(cassette.launches).toEqual({ expected: 2, arrived: 3, refused: 1 });
});

test('after a divergence every launch gets it', () => {
  const { launch, start } = open({ steps: [], connections: [connection(1), connection(2)] });
  start({ argv: ['x'] });
  start();
  const first = launch();
  expect(launch()).toBe(first);
});

const child = (n: number, session: string, ordinal: number, root = 'root') => connection(n, { agentSessionId: session, rootAgentSessionId: root, launchOrdinal: ordinal });

test('launches by identity find their connections in any order', () => {
  const { launch, start } = open({ select: 'identity', steps: [], connections: [child(1, 'root', 1), child(2, 'kid-a', 1), child(3, 'kid-b', 1), child(4, 'kid-b', 2)] });
  const of = (agentSessionId: string) => laneOf(start({ agentSessionId, rootAgentSessionId: 'root' }));
  expect([of('kid-b'), of(' kid-a '), of('root'), of('kid-b')]).toEqual(['connection-3', 'connection-2', 'connection-1', 'connection-4']);
  expect(launch({ agentSessionId: 'kid-b', rootAgentSessionId: 'root' })).toMatchObject({ code: 'launch_unmatched' });
});

test('a root session under a new name claims the one recorded root, and its children follow', () => {
  const { start } = open({ select: 'identity', steps: [], connections: [child(1, 'root', 1), child(2, 'kid', 1), child(3, 'root', 2)] });
  const of = (agentSessionId: string) => laneOf(start({ agentSessionId, rootAgentSessionId: 'new-root' }));
  expect([of('new-root'), of('kid'), of('new-root')]).toEqual(['connection-1', 'connection-2', 'connection-3']);
});

test.each<[string, Partial<LaunchRequest>]>([
  ['a child under an unknown name', { agentSessionId: 'new-kid', rootAgentSessionId: 'root' }],
  ['a child under another root', { agentSessionId: 'kid', rootAgentSessionId: 'other' }],
  ['another provider', { agentSessionId: 'root', provider: 'clerk' }],
  ['a root where two are recorded', { agentSessionId: 'new-root' }],
])('launch by identity refuses %s', (_title, request) => {
  const { launch } = open({ select: 'identity', steps: [], connections: [child(1, 'root', 1), child(2, 'kid', 1), child(3, 'twin', 1, 'twin')] });
  expect(launch(request)).toMatchObject({ layer: 'transport', code: 'launch_unmatched' });
});

const peek: Step[] = [[2, 'outbound', hello(1)], [2, 'outbound', { id: 2, method: 'peek' }], [2, 'stdout', { id: 2, result: 1 }], [2, 'stdout', { id: 1, result: 1 }]];

test.each<[string, Step[], number, boolean]>([
  ['a first launch', peek, 1, false],
  ['a later launch that sends something else', [...peek, [2, 'outbound', ask(3, 's', 'x')]], 2, false],
  ['a later launch without a message', [], 2, false],
])('%s is not optional', (_title, steps, launchOrdinal, expected) => {
  const { cassette } = open({ steps: [...sessions([['one']]).steps, ...steps], connections: [connection(1), connection(2, { launchOrdinal, agentSessionId: launchOrdinal === 1 ? 'other' : 'wrap' })] });
  expect(isOptional(cassette.lanes[1]!)).toBe(expected);
});

test('a later launch of probes alone may stay away', async () => {
  const steps: Step[] = [...sessions([['one']]).steps, [2, 'outbound', { id: 2, method: 'peek' }], [2, 'stdout', { id: 2, result: 1 }]];
  const { cassette, start } = open({ steps, connections: [connection(1), connection(2)] });
  const a = start();
  await a.send(line(ask(2, await greet(a), 'one')));
  await read(a);
  expect([isOptional(cassette.lanes[1]!), cassette.isDrained, cassette.findMissing(), cassette.launches.expected]).toEqual([true, true, null, 1]);
});

test('findMissing() names the earliest place in the tape where nothing moves', async () => {
  const { cassette, start } = open(sessions([['one'], ['two']]));
  expect(cassette.findMissing()).toMatchObject({ layer: 'transport', code: 'connection_not_selected', lane: 'connection-1' });
  const a = start();
  expect(cassette.findMissing()).toMatchObject({ layer: 'protocol', code: 'outbound_missing', position: { connectionId: 'connection-1', chunkSeq: 1 } });
  await a.send(line(hello(1)));
  expect(cassette.findMissing()).toMatchObject({ layer: 'transport', code: 'not_drained', position: { connectionId: 'connection-1', chunkSeq: 2 } });
  await read(a);
  await a.send(line(ask(2, 's-1', 'one')));
  await read(a);
  expect(cassette.findMissing()).toMatchObject({ code: 'connection_not_selected', lane: 'connection-2' });
});

test('findMissing() calls what a held connection was sent too early a message that was not recorded there', async () => {
  const { cassette, start } = open({ steps: [[1, 'outbound', hello(1)], [1, 'stdout', { id: 1, result: {} }], [1, 'outbound', ask(2, 's', 'one')]], connections: [connection(1)] });
  const player = start();
  const isHeld = () => true;
  await player.send(line(hello(1)));
  expect(cassette.findMissing(isHeld)).toBeNull();
  const early = player.send(line(ask(2, 's', 'one')));
  expect(cassette.findMissing(isHeld)).toMatchObject({ layer: 'protocol', code: 'outbound_extra', message: expect.stringContaining('the recording has no message here (connection-1, chunk 1)') });
  await read(player);
  await early;
  expect(cassette.findMissing(isHeld)).toBeNull();
});

test('findMissing() gives the first divergence where there is one', async () => {
  const { cassette, start } = open(sessions([['one']]));
  const a = start();
  await greet(a);
  await expect(a.send(line(ask(2, 's-1', 'no')))).rejects.toThrow();
  expect(cassette.findMissing()).toBe(cassette.register.first);
});

test('a launch whose product has left is broken where the tape awaits more of it', async () => {
  const { cassette, start } = open(sessions([['one']]));
  const a = start();
  await greet(a);
  expect(cassette.isBroken).toBe(false);
  a.endInput('stdin-eof');
  expect(cassette.isBroken).toBe(true);
});

test('idle time starts anew with every step of any lane', async () => {
  const { cassette, clock, start } = open(sessions([['one']]));
  await clock.advance(100);
  expect(cassette.idleMs).toBe(100);
  const a = start();
  expect(cassette.idleMs).toBe(0);
  await clock.advance(50);
  await a.send(line(hello(1)));
  expect(cassette.idleMs).toBe(0);
});
