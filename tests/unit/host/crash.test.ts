/** A Host that dies between any two calls of its store loses nothing that it had acknowledged, and asks a provider nothing twice. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AgentHost } from '../../../src/core/agent/host.ts';
import { assembleHost } from '../../../src/daemon/host/host.ts';
import type { Connection } from '../../../src/daemon/store/connection.ts';
import { openDatabase } from '../../../src/daemon/store/open.ts';
import { createStore, type Store } from '../../../src/daemon/store/store.ts';
import { approve, askApproval, createOptions, prompted, ref, sendInput } from './desk.ts';
import { createWorld, type Call, type World } from './fake-runtime.ts';

const folder = mkdtempSync(join(tmpdir(), 'playhead-crash-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Life = { host: AgentHost; world: World; crashed: Promise<'crashed'>; storeCalls: () => number };

/** One process of a Host: the `crashAt`-th call of its store never happens, and nothing after it does. */
function begin(connection: Connection, { calls, crashAt = Number.POSITIVE_INFINITY, prefix }: { calls: Call[]; crashAt?: number; prefix: string }): Life {
  const world = createWorld({ calls });
  let count = 0;
  let die: (value: 'crashed') => void;
  const crashed = new Promise<'crashed'>((resolve) => (die = resolve));
  const between = (): void => {
    if (++count < crashAt) return;
    world.isDead = true;
    die('crashed');
    throw new Error('the process has died');
  };
  const host = assembleHost(createOptions(world, prefix), (ports) => withFault(createStore(connection, ports), between));
  return { host, world, crashed, storeCalls: () => count };
}

function withFault(store: Store, between: () => void): Store {
  const wrap = ([name, method]: [string, unknown]) => [name, (...args: unknown[]) => (between(), (method as (...all: unknown[]) => unknown)(...args))];
  return Object.fromEntries(Object.entries(store).map(wrap)) as Store;
}

type Acks = { create?: string; text?: string; respond?: string; cancel?: string; send?: string; end?: string };

/** Create, stream, approve, cancel, second turn. Commands have their ids, so that all of it may be done again after a crash. */
async function play({ host }: Life, acks: Acks): Promise<void> {
  const isLive = (turnId: string) => host.graph(ref)?.turns.some((turn) => turn.turnId === turnId && turn.phase !== 'settled') ?? false;
  const say = (turnId: string, text: string, status: 'running' | 'completed') => host.sink.report({ ref, unit: null, messages: [{ messageId: `answer:${turnId}`, turnId, role: 'assistant', kind: 'text', status, contentDelta: text }] });
  const first = (await host.create(prompted())).turnId!;
  acks.create = first;
  if (isLive(first)) {
    await say(first, 'One ', 'running');
    await say(first, 'two', 'running');
    acks.text = 'One two';
    await askApproval({ sink: host.sink }, first);
  }
  if (host.graph(ref)?.interactions.length) acks.respond = (await host.respond({ ref, turnId: first, requestId: 'request-1', answer: approve })).status;
  const canceled = await host.cancel(ref, first);
  acks.cancel = canceled.outcome ?? canceled.state;
  const second = (await host.send(sendInput())).turnId;
  acks.send = second;
  if (isLive(second)) {
    await say(second, 'Done', 'completed');
    await host.sink.report({ ref, unit: null, rootProviderTurn: { turnId: second, providerTurnId: `provider:${second}`, phase: 'completed', outcome: 'completed' } });
    acks.end = 'completed';
  }
}

/** What was acknowledged, read back with the commands that acknowledged it; turns by their place, since ids are fresh. */
async function readBack(host: AgentHost, acks: Acks) {
  const graph = host.graph(ref);
  const names = new Map(graph?.turns.map(({ turnId }, index) => [turnId, `turn:${index}`]));
  const named = (value: unknown): unknown => JSON.parse([...names].reduce((text, [id, name]) => text.replaceAll(`"${id}"`, `"${name}"`).replaceAll(`:${id}"`, `:${name}"`), JSON.stringify(value ?? null)));
  const promptOf = (turnId: string) => {
    const turn = graph?.turns.find((one) => one.turnId === turnId);
    const message = graph?.messages.find((one) => one.turnId === turnId && one.role === 'user');
    return { provider: turn?.rootProviderTurnId, sequence: turn?.sequence, message: message && { ...message, version: 0 } };
  };
  const session = graph?.session;
  const back: { [ack: string]: unknown } = {};
  if (acks.create) back['create'] = [(await host.create(prompted())).turnId === acks.create, promptOf(acks.create), session?.title, session?.settings, session?.providerSessionId, session?.railSectionKey];
  if (acks.text) back['text'] = graph?.messages.find(({ messageId }) => messageId === `answer:${acks.create}`)?.payload;
  if (acks.respond) back['respond'] = [(await host.respond({ ref, turnId: acks.create!, requestId: 'request-1', answer: approve })).status, graph?.interactions];
  if (acks.cancel) back['cancel'] = [await host.cancel(ref, acks.create!), acks.cancel].map((value) => (typeof value === 'string' ? value : value.outcome));
  if (acks.send) back['send'] = [(await host.send(sendInput())).turnId === acks.send, promptOf(acks.send)];
  if (acks.end) back['end'] = [graph?.turns.at(-1), graph?.messages.at(-1)?.payload, session?.activeTurnId];
  return named(back) as { [ack: string]: unknown };
}

const mutations = ['exec', 'respond', 'cancel'];
const repeated = (calls: Call[]) => calls.filter(({ name }, index) => mutations.includes(name) && calls.findIndex((call) => call.name === name && call.id === calls[index]?.id) !== index);

async function reference(): Promise<{ back: { [ack: string]: unknown }; storeCalls: number }> {
  const calls: Call[] = [];
  const life = begin(openDatabase(':memory:'), { calls, prefix: 'id' });
  const acks: Acks = {};
  await life.host.recover();
  await play(life, acks);
  const { storeCalls } = { storeCalls: life.storeCalls() };
  expect([Object.keys(acks), acks.respond, acks.cancel, repeated(calls)]).toEqual([['create', 'text', 'respond', 'cancel', 'send', 'end'], 'answered', 'canceled', []]);
  return { back: await readBack(life.host, acks), storeCalls };
}

/** Whether the process died before the script was over. */
async function runUntilCrash(life: Life, script: () => Promise<void>): Promise<boolean> {
  const over = script().then(() => 'over' as const, () => life.crashed);
  return (await Promise.race([over, life.crashed])) === 'crashed';
}

async function check(expected: { [ack: string]: unknown }, { open, crashes }: { open: () => Connection; crashes: number[] }): Promise<void> {
  const calls: Call[] = [];
  const acked: Acks = {};
  let connection = open();
  for (const [index, crashAt] of crashes.entries()) {
    const life = begin(connection, { calls, crashAt, prefix: `life-${index}` });
    const acks: Acks = index === 0 ? acked : {};
    await runUntilCrash(life, async () => {
      await life.host.recover();
      await play(life, acks);
    });
    connection.close();
    connection = open();
  }
  const life = begin(connection, { calls, prefix: 'last' });
  await life.host.recover();
  const back = await readBack(life.host, acked);
  expect(back).toEqual(Object.fromEntries(Object.keys(acked).map((name) => [name, expected[name]])));
  // The rest of the story, with the ids of its commands; what nobody had acknowledged may be refused now.
  await play(life, {}).catch(() => {});
  expect(await readBack(life.host, acked)).toEqual(back);
  expect(repeated(calls)).toEqual([]);
  expect(life.host.isSettled(ref)).toBe(true);
  connection.close();
}

test('a Host that dies between any two calls of its store keeps what it had acknowledged', async () => {
  const { back, storeCalls } = await reference();
  expect(storeCalls).toBeGreaterThan(40);
  for (let crashAt = 1; crashAt <= storeCalls + 1; crashAt++) {
    const path = join(folder, `${crashAt}.sqlite`);
    await check(back, { open: () => openDatabase(path), crashes: [crashAt] });
  }
}, 60_000);

test('a Host that dies once more in the middle of its recovery keeps it too', async () => {
  const { back, storeCalls } = await reference();
  for (let crashAt = 1; crashAt <= storeCalls; crashAt += 3)
    for (const again of [1, 2, 3, 4, 5, 6, 7]) {
      const shared = openDatabase(':memory:');
      // The same database for each life: only the last one closes it.
      await check(back, { open: () => ({ ...shared, close: () => {} }), crashes: [crashAt, again] });
      shared.close();
    }
}, 60_000);
