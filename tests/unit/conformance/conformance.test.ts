import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { compareTapes } from '../../../src/core/tape/agree.ts';
import type { Divergence } from '../../../src/core/verdict/divergence.ts';
import { findProvider } from '../../../src/providers/registry.ts';
import type { CassettePlayer } from '../../../src/tape/cassette-player.ts';
import { readConversations } from '../../../src/tape/conversations.ts';
import { connection, load, removeFolders, tapeOf, type Step } from '../../../src/tape/fixtures/tapes.ts';
import { openInProcess, recordInProcess } from './in-process.ts';
import type { Product } from './product.ts';
import { bundleStandIns, makeTempFolder, removeFolder, writeAgent } from './programs.ts';
import { openStandIn, recordStandIn, type OpenedReplay, type Places, type RecordedRun } from './stand-in.ts';

const transports = ['in-process', 'stand-in'] as const;
type Transport = (typeof transports)[number];

let room = '';
let agent = '';
let count = 0;
const opened: OpenedReplay[] = [];

beforeAll(async () => {
  room = makeTempFolder();
  agent = writeAgent(room);
  await bundleStandIns(join(room, 'bin'));
}, 60_000);
afterAll(() => removeFolder(room));
afterEach(async () => {
  for (const replay of opened.splice(0)) await replay.close();
  removeFolders();
});

function newPlaces(): Places {
  const places = { cwd: join(room, `w${++count}`, 'my app'), home: join(room, `h${count}`) };
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
  return places;
}

async function open(transport: Transport, steps: readonly Step[], places = newPlaces()): Promise<{ cassette: CassettePlayer; product: Product; places: Places }> {
  const tape = tapeOf({ steps, connections: [connection(1, { provider: 'codex' })], findProvider });
  const replay = transport === 'in-process' ? await openInProcess({ tape, places }) : await openStandIn({ tape, places, folder: join(room, `s${count}`), programs: join(room, 'bin') });
  opened.push(replay);
  return { cassette: replay.cassette, product: await replay.start(), places };
}

async function drained(cassette: CassettePlayer): Promise<void> {
  while (!cassette.isDrained && !cassette.register.first) await cassette.moved.next();
  expect(cassette.register.first).toBe(null);
}

function diverged(cassette: CassettePlayer): Promise<Divergence> {
  return new Promise((resolve) => cassette.register.onFirst(resolve));
}

const C = '${SESSION_CWD:wrap:1}';
const turn = (id: unknown, text = 'go') => ({ method: 'turn/start', id, params: { threadId: 't', input: [{ type: 'text', text }] } });
const read = (id: unknown) => ({ method: 'thread/read', id, params: { threadId: 't' } });
const answer = (id: unknown, result: unknown = {}) => ({ id, result });
const note = (n: number) => ({ method: 'item/agentMessage/delta', params: { itemId: 'i', delta: `part ${n}` } });
const text = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

const scenario = (title: string, play: (transport: Transport) => Promise<void>) => test.each(transports)(`%s: ${title}`, { timeout: 30_000 }, play);

scenario('messages split over chunks arrive whole', async (transport) => {
  const whole = text(note(1), note(2));
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], ...[7, 60, 61, 95].map((end, i, ends): Step => [1, 'stdout', whole.slice(ends[i - 1] ?? 0, end)]), [1, 'stdout', whole.slice(95) + text(answer(1))]]);
  product.say(turn(1));
  expect([await product.hear(), await product.hear(), await product.hear()]).toEqual([note(1), note(2), answer(1)]);
  await drained(cassette);
});

scenario('several messages in one chunk arrive in order', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(note(1), answer(1), note(2))]]);
  product.say(turn(1));
  expect([await product.hear(), await product.hear(), await product.hear()]).toEqual([note(1), answer(1), note(2)]);
  await drained(cassette);
});

scenario('messages of the product match whatever its writes were', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', { method: 'initialized' }], [1, 'outbound', turn(1)], [1, 'stdout', answer(1)]]);
  const written = text({ method: 'initialized' }, turn(1));
  product.write(written.slice(0, 9));
  product.write(written.slice(9));
  expect(await product.hear()).toEqual(answer(1));
  await drained(cassette);
});

scenario('answers carry the ids of the live requests', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(18)], [1, 'outbound', { id: 19, method: 'model/list' }], [1, 'stdout', text({ id: 0, method: 'item/fileChange/requestApproval', params: {} }, answer(19), answer(18))], [1, 'outbound', answer(0, { decision: 'accept' })], [1, 'stdout', text({ method: 'serverRequest/resolved', params: { requestId: 0 } })]]);
  product.say(turn('py-1'));
  product.say({ method: 'model/list', id: 4 });
  expect([await product.hear(), await product.hear(), await product.hear()]).toMatchObject([{ id: 0 }, answer(4), answer('py-1')]);
  product.say(answer(0, { decision: 'accept' }));
  expect(await product.hear()).toMatchObject({ params: { requestId: 0 } });
  await drained(cassette);
});

scenario('project folder and home go out and come back as live ones', async (transport) => {
  const { product, cassette, places } = await open(transport, [
    [1, 'outbound', { id: 1, method: 'thread/start', params: { cwd: `${C}/sub` } }],
    [1, 'stdout', answer(1, { thread: { id: 't', cwd: `${C}/sub`, path: '${REPLAY_HOME}/s.jsonl' } })],
    [1, 'stderr', 'reading ${REPLAY_HOME}/config\n'],
  ]);
  product.say({ id: 1, method: 'thread/start', params: { cwd: `${places.cwd}/sub` } });
  expect(await product.hear()).toEqual(answer(1, { thread: { id: 't', cwd: `${places.cwd}/sub`, path: `${places.home}/s.jsonl` } }));
  expect(await product.hearLog()).toBe(`reading ${places.home}/config`);
  await drained(cassette);
});

scenario('a recorded probe may stay away, and its answer too', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', read(1)], [1, 'outbound', turn(2)], [1, 'stdout', text(answer(1, 'seen'), answer(2))], [1, 'outbound', read(3)], [1, 'stdout', text(answer(3, 'seen'), note(1))]]);
  product.say(turn(7));
  expect([await product.hear(), await product.hear()]).toEqual([answer(7), note(1)]);
  await drained(cassette);
  expect(cassette.players[0]?.counts.matched).toBe(1);
});

scenario('an additional probe is absorbed and changes nothing', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))]]);
  product.say(read(8));
  product.say(turn(1));
  const heard = [await product.hear()];
  // Over a pipe an absorbed request is answered, because a client may await it.
  if (transport === 'stand-in') heard.push(await product.hear());
  expect(heard).toContainEqual(answer(1));
  await drained(cassette);
  expect(cassette.players[0]?.counts.absorbed).toBe(1);
});

scenario('a mismatch fails closed and stays', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))], [1, 'exit', 3, 0, 'self']]);
  product.say(turn(1, 'go '));
  const first = await diverged(cassette);
  expect(first).toMatchObject({ layer: 'protocol', code: 'outbound_mismatch', path: '$.params.input[0].text', position: { connectionId: 'connection-1', chunkSeq: 1 } });
  product.say(turn(2));
  product.closeInput();
  expect(await product.exit).toBe(3);
  expect([cassette.register.first, cassette.findMissing(), cassette.isDrained]).toEqual([first, first, false]);
  expect(product.unheard().join()).not.toContain('"result"');
});

scenario('a message too many is named', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))]]);
  product.say(turn(1));
  await product.hear();
  product.say(turn(2));
  expect(await diverged(cassette)).toMatchObject({ layer: 'protocol', code: 'outbound_extra' });
});

scenario('a message that is missing is named where the product leaves', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))], [1, 'outbound', turn(2, 'more')], [1, 'stdout', text(answer(2))]]);
  product.say(turn(1));
  await product.hear();
  product.closeInput();
  expect(await product.exit).toBe(0);
  expect(cassette.isBroken).toBe(true);
  expect(cassette.findMissing()).toMatchObject({ layer: 'protocol', code: 'outbound_missing', position: { chunkSeq: 3 } });
});

scenario('a launch too many is refused', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))]]);
  product.say(turn(1));
  await product.hear();
  const second = opened[0]!.start();
  if (transport === 'stand-in') expect(await (await second).exit).toBe(71);
  else await expect(second).rejects.toMatchObject({ code: 'playback_refused' });
  expect(cassette.register.first).toMatchObject({ layer: 'transport', code: 'launch_unmatched' });
});

scenario('an exit of its own comes in order with its code', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))], [1, 'stderr', 'falling\n'], [1, 'exit', 9, 0, 'self']]);
  product.say(turn(1));
  expect([await product.hear(), await product.hearLog(), await product.exit]).toEqual([answer(1), 'falling', 9]);
  await drained(cassette);
});

test.each(transports.flatMap((transport) => (['closeInput', 'terminate'] as const).map((leave) => [transport, leave] as const)))('%s: without an exit the connection is held open until %s', { timeout: 30_000 }, async (transport, leave) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))]]);
  product.say(turn(1));
  await product.hear();
  await drained(cassette);
  product[leave]();
  expect(await product.exit).toBe(0);
  expect(cassette.findMissing()).toBe(null);
});

test.each(transports)('%s: an exit that the product brought about comes when it leaves, with what was said behind it', { timeout: 30_000 }, async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1)], [1, 'stdout', text(answer(1))], [1, 'exit', 4, 0, 'signal:SIGTERM']]);
  product.say(turn(1));
  await product.hear();
  await drained(cassette);
  product.closeInput();
  expect(await product.exit).toBe(4);
});

scenario('sends wait for the recorded inbound before them', async (transport) => {
  const { product, cassette } = await open(transport, [[1, 'outbound', turn(1, 'a')], [1, 'stdout', text(answer(1))], [1, 'outbound', turn(2, 'b')], [1, 'stdout', text(answer(2), note(1))], [1, 'outbound', turn(3, 'c')], [1, 'stdout', text(answer(3))]]);
  for (const [i, prompt] of ['a', 'b', 'c'].entries()) product.say(turn(i + 11, prompt));
  expect([await product.hear(), await product.hear(), await product.hear(), await product.hear()]).toEqual([answer(11), answer(12), note(1), answer(13)]);
  await drained(cassette);
});

const said = { initialize: (id: unknown) => ({ id, method: 'initialize', params: { clientInfo: { name: 'desk', version: '1' } } }), thread: (id: unknown, cwd: string) => ({ id, method: 'thread/start', params: { cwd } }) };

/** One session as a product plays it, live and replayed. */
async function converse(product: Product, places: Places): Promise<void> {
  product.say(said.initialize(1));
  await product.hear();
  product.write(text({ method: 'initialized' }, said.thread(2, places.cwd)));
  const started = (await product.hear()) as { result: { thread: { id: string; cwd: string } } };
  expect(started.result.thread.cwd).toBe(places.cwd);
  product.say({ id: 3, method: 'turn/start', params: { threadId: started.result.thread.id, cwd: places.cwd, input: [{ type: 'text', text: 'go' }] } });
  for (let n = 0; n < 2; n++) await product.hear();
  expect(await product.hear()).toMatchObject({ id: 0, params: { cwd: places.cwd } });
  product.say(answer(0, { decision: 'accept' }));
  for (;;) if (((await product.hear()) as { method?: string }).method === 'turn/completed') break;
  product.closeInput();
  expect(await product.exit).toBe(0);
}

async function record(transport: Transport): Promise<{ run: RecordedRun; tapeFolder: string }> {
  const places = newPlaces();
  const tapeFolder = join(room, `t${count}`);
  const play = (product: Product) => converse(product, places);
  const run = transport === 'in-process' ? await recordInProcess({ places, agent, tapeFolder, play }) : await recordStandIn({ places, folder: join(room, `s${count}`), programs: join(room, 'bin'), agent, tapeFolder, play });
  return { run, tapeFolder };
}

test('recordings of one session over both transports agree, and each replays over the other', { timeout: 60_000 }, async () => {
  const tapes = [];
  for (const transport of transports) tapes.push(load((await record(transport)).tapeFolder, findProvider));
  const [first, second] = tapes.map(readConversations);
  expect(compareTapes(first!, second!)).toEqual([]);
  expect(tapes.map((tape) => tape.lanes.map((lane) => [lane.outbound.length, lane.exit?.message, lane.exit?.exitCode, lane.connection.captureOrigin]))).toEqual([[[5, 'stdin-eof', 0, 'process-start']], [[5, 'stdin-eof', 0, 'process-start']]]);
  for (const tape of tapes)
    for (const transport of transports) {
      const places = newPlaces();
      const replay = transport === 'in-process' ? await openInProcess({ tape, places }) : await openStandIn({ tape, places, folder: join(room, `s${count}`), programs: join(room, 'bin') });
      opened.push(replay);
      await converse(await replay.start(), places);
      expect([replay.cassette.isDrained, replay.cassette.register.first]).toEqual([true, null]);
    }
});

test.each(transports)('%s: a recording holds no folder of the machine', { timeout: 60_000 }, async (transport) => {
  const { tapeFolder } = await record(transport);
  const frames = readFileSync(join(tapeFolder, 'frames.jsonl'), 'utf8').split('\n').filter(Boolean).map((line) => Buffer.from((JSON.parse(line) as { data?: string }).data ?? '', 'base64').toString());
  const kept = frames.join('');
  expect(kept).toContain('${REPLAY_HOME}');
  expect(kept).toContain(C);
  expect(kept + readFileSync(join(tapeFolder, 'manifest.json'), 'utf8')).not.toContain(room);
});
