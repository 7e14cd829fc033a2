import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../core/limits.ts';
import { wireKinds } from '../core/shim/wire.ts';
import { findProvider } from '../providers/registry.ts';
import { FakeClock, stateOf } from '../tape/fixtures/fake-clock.ts';
import { hello, Shim } from '../tape/fixtures/hand-shim.ts';
import { connection, removeFolders, tapeOf, type Step } from '../tape/fixtures/tapes.ts';
import { ReplayRun } from './replay-run.ts';
import type { Timing } from '../core/verdict/verdict.ts';
import type { RunFacts } from './run.ts';
import { createWorkroom } from './workroom.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  removeFolders();
});

const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const asked = { id: 1, method: 'turn/start', params: { threadId: 't', input: [{ type: 'text', text: 'go' }] } };
const ran = { method: 'item/completed', params: { item: { id: 'i', type: 'commandExecution', status: 'completed' } } };
const ended = { method: 'turn/completed', params: { turn: { id: 'u', status: 'completed' } } };
const [untilRan, rest] = [lines({ id: 1, result: {} }, ran), lines(ended)];

/** A run of one turn, whose stand-in says nothing by itself: above all not that the product has something. */
async function open(steps: readonly Step[] = [[1, 'outbound', asked], [1, 'stdout', untilRan + rest]], timing: Timing = 'instant') {
  const workroom = createWorkroom();
  const clock = new FakeClock();
  const tape = tapeOf({ steps, connections: [connection(1, { provider: 'codex' })], findProvider });
  const facts: RunFacts = { case: null, cassette: { id: 'c', name: 'c', dir: 'c', manifestSha256: '' }, product: { name: 'desk', version: null }, drive: 'spec', surface: 'none', timing, browser: null };
  const run = await ReplayRun.start({ facts, tape, product: { name: 'desk' }, workroom, clock, stallMs: limits.stallMs, startMs: limits.productStartMs, sharedFolder: null });
  const shim = new Shim(join(dirname(run.programFor('codex')), '..', 'tape.sock'));
  ends.push(async () => {
    shim.socket.destroy();
    await run.end();
    workroom.remove();
  });
  shim.say(wireKinds.hello, hello({ provider: 'codex', argv: ['app-server'], cwd: run.cwd }));
  await shim.hear();
  const pictures: string[] = [];
  run.setShoot(async ({ name }) => `${pictures.push(name)}`);
  const ask = async (message: object = asked) => {
    shim.say(wireKinds.stdin, Buffer.from(lines(message)));
    return shim.hear();
  };
  return { run, shim, clock, pictures, ask, written: (byteCount: number) => shim.say(wireKinds.written, String(byteCount)) };
}

const shown = (run: ReplayRun) => [run.toolCalls().map(({ status }) => status), run.verdict().result, run.divergence?.code ?? null];

test('settle() waits until the product has all that the tape gave out', async () => {
  const { run, ask, written, pictures } = await open();
  expect(await ask()).toBe(`stdout ${untilRan}${rest}`);
  const settled = run.settle('play');
  expect([await stateOf(settled), ...shown(run)]).toEqual([{ is: 'waiting' }, [], 'failed', null]);
  written(untilRan.length);
  expect(await stateOf(settled)).toEqual({ is: 'waiting' });
  written(untilRan.length + rest.length);
  await settled;
  expect([...shown(run), pictures]).toEqual([['completed'], 'passed', null, ['turn.terminal']]);
});

test('settle() lets go what is parked inside the last chunk, and waits for it too', async () => {
  const { run, shim, ask, written, pictures } = await open();
  const at = run.playTo('tool.completed', Promise.resolve(true));
  expect(await ask()).toBe(`stdout ${untilRan}`);
  written(untilRan.length);
  await at;
  const settled = run.settle('play');
  expect([await stateOf(settled), ...shown(run)]).toEqual([{ is: 'waiting' }, ['completed'], 'failed', null]);
  expect(await shim.hear()).toBe(`stdout ${rest}`);
  written(untilRan.length + rest.length);
  await settled;
  expect([...shown(run), pictures]).toEqual([['completed'], 'passed', null, ['turn.terminal']]);
});

test('a red body that was parked inside the last chunk has no clean tape beside it', async () => {
  const { run, ask, written } = await open();
  const at = run.playTo('tool.completed', Promise.resolve(true));
  await ask();
  written(untilRan.length);
  await at;
  await run.settle('judge');
  expect(shown(run)).toEqual([['completed'], 'failed', null]);
});

test('a product that stops reading is named after the limit', async () => {
  const { run, clock, ask } = await open();
  await ask();
  const settled = run.settle('play');
  await clock.advance(limits.stallMs);
  await settled;
  expect(shown(run)).toEqual([[], 'failed', 'not_drained']);
  expect(run.divergence?.message).toBe('Cannot finish replay: the product did not read chunk 2 of connection-1, everything before the end was needed (connection-1, chunk 2)');
});

test('a provider that was silent for longer than the limit when it was recorded is no standstill', async () => {
  const { run, clock, ask, shim, written } = await open([[1, 'outbound', asked, 0], [1, 'stdout', untilRan, 10], [1, 'stdout', rest, 3 * limits.stallMs]], 'recorded');
  const first = ask();
  await clock.advance(10);
  expect(await first).toBe(`stdout ${untilRan}`);
  written(untilRan.length);
  const settled = run.settle('play');
  await clock.advance(2.9 * limits.stallMs);
  expect([await stateOf(settled), run.divergence]).toEqual([{ is: 'waiting' }, null]);
  await clock.advance(0.2 * limits.stallMs);
  expect(await shim.hear()).toBe(`stdout ${rest}`);
  written(untilRan.length + rest.length);
  await settled;
  expect(shown(run)).toEqual([['completed'], 'passed', null]);
});

test('a provider that is killed at its last message has said it', async () => {
  const { run, shim, ask } = await open();
  await ask();
  const settled = run.settle('play');
  shim.socket.destroy();
  await settled;
  expect(shown(run)).toEqual([['completed'], 'passed', null]);
});

test('settle() waits for a picture that is being taken already', async () => {
  const { run, ask, written } = await open();
  let develop: (name: string) => void = () => {};
  const begun = new Promise<void>((resolve) => run.setShoot(() => new Promise((done) => (resolve(), (develop = done)))));
  const at = run.playTo('turn.terminal', Promise.resolve(true));
  await ask();
  written(untilRan.length + rest.length);
  await begun;
  const settled = run.settle('play');
  expect(await stateOf(settled)).toEqual({ is: 'waiting' });
  develop('end.png');
  await Promise.all([settled, at]);
  expect(run.verdict().checkpoints.map(({ attachment }) => attachment)).toEqual(['end.png']);
});

test('settle() waits for the picture of a target that the spec does not wait for', async () => {
  const approval = { id: 0, method: 'item/commandExecution/requestApproval', params: { itemId: 'i' } };
  const allowed = { id: 0, result: { decision: 'accept' } };
  const { run, ask, written } = await open([[1, 'outbound', asked], [1, 'stdout', lines(approval)], [1, 'outbound', allowed], [1, 'stdout', rest]]);
  let develop: (name: string) => void = () => {};
  const begun = new Promise<void>((resolve) => run.setShoot(({ name }) => (name === 'turn.terminal' ? Promise.resolve('end.png') : new Promise((done) => (resolve(), (develop = done))))));
  void run.playTo('interaction.pending', Promise.resolve(false));
  await ask();
  written(lines(approval).length);
  await begun;
  await ask(allowed);
  written(lines(approval).length + rest.length);
  await run.playTo('turn.terminal', Promise.resolve(false));
  const settled = run.settle('play');
  expect(await stateOf(settled)).toEqual({ is: 'waiting' });
  develop('asked.png');
  await settled;
  expect(run.verdict().checkpoints.map(({ attachment }) => attachment)).toEqual(['asked.png', 'end.png']);
});
