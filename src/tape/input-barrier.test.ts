import { expect, test } from 'vitest';
import type { UnitPosition } from '../core/ports.ts';
import { stateOf } from './fixtures/fake-clock.ts';
import { InputBarrier, isAfter } from './input-barrier.ts';

const at = (chunkSeq: number, unitIndex = 1, connectionId = 'a'): UnitPosition => ({ connectionId, chunkSeq, unitIndex });
const overshot = expect.objectContaining({ code: 'checkpoint_provider_overshot' });

test('without targets every unit passes', async () => {
  const barrier = new InputBarrier('strict');
  await barrier.complete(at(1));
  await barrier.complete(at(2));
  expect([barrier.handledAt('a'), barrier.handledAt('b'), barrier.targetOf('a')]).toEqual([at(2), null, null]);
});

test('a lane parks at its target and another passes below its own', async () => {
  const barrier = new InputBarrier('strict');
  barrier.setTargets([at(2), at(9, 1, 'b')]);
  await barrier.complete(at(1));
  await barrier.complete(at(3, 1, 'b'));
  const parked = barrier.complete(at(2));
  expect((await stateOf(parked)).is).toBe('waiting');
  expect(barrier.hasHandled(at(2))).toBe(true);
});

test.each<[string, (barrier: InputBarrier, stop: AbortController) => void]>([
  ['new targets', (barrier) => barrier.setTargets([at(5)])],
  ['the same targets again', (barrier) => barrier.setTargets([at(2)])],
  ['no targets', (barrier) => barrier.clear()],
  ['an abort', (_barrier, stop) => stop.abort()],
])('a parked lane goes on after %s', async (_title, letGo) => {
  const barrier = new InputBarrier('strict');
  const stop = new AbortController();
  barrier.setTargets([at(2)]);
  const parked = barrier.complete(at(2), stop.signal);
  expect((await stateOf(parked)).is).toBe('waiting');
  letGo(barrier, stop);
  expect((await stateOf(parked)).is).toBe('done');
});

test.each<[string, UnitPosition[], UnitPosition]>([
  ['beyond its target', [at(2)], at(3)],
  ['beyond its target in the same chunk', [at(2, 1)], at(2, 2)],
  ['of a connection without a target', [at(2)], at(1, 1, 'b')],
])('a strict barrier fails closed on a unit %s', async (_title, targets, position) => {
  const barrier = new InputBarrier('strict');
  barrier.setTargets(targets);
  await expect(barrier.complete(position)).rejects.toEqual(overshot);
  expect(barrier.hasHandled(position)).toBe(true);
});

test.each<[string, UnitPosition[]]>([
  ['leave a handled connection out', [at(9, 1, 'b')]],
  ['lie behind what was handled', [at(2)]],
  ['lie behind it in the same chunk', [at(3, 1)]],
])('a strict barrier refuses targets that %s', async (_title, targets) => {
  const barrier = new InputBarrier('strict');
  await barrier.complete(at(3, 2));
  expect(() => barrier.setTargets(targets)).toThrow(overshot);
  expect(barrier.targetOf('a')).toBe(null);
});

test('a free barrier lets a lane be where it is and holds only what lies ahead', async () => {
  const barrier = new InputBarrier('free');
  await barrier.complete(at(3));
  barrier.setTargets([at(2), at(2, 1, 'b')]);
  await barrier.complete(at(4));
  await barrier.complete(at(1, 1, 'c'));
  const parked = barrier.complete(at(2, 1, 'b'));
  expect((await stateOf(parked)).is).toBe('waiting');
  barrier.clear();
  await parked;
});

test('a strict barrier refuses a lane that goes back', async () => {
  const barrier = new InputBarrier('strict');
  await barrier.complete(at(3));
  await barrier.complete(at(3));
  await expect(barrier.complete(at(2))).rejects.toEqual(overshot);
});

test('a free barrier keeps the farthest position of a lane', async () => {
  const barrier = new InputBarrier('free');
  await barrier.complete(at(3));
  await barrier.complete(at(2));
  expect(barrier.hasHandled(at(3))).toBe(true);
});

test.each<[string, UnitPosition[]]>([
  ['a blank connection', [at(1, 1, ' ')]],
  ['one connection twice', [at(1), at(2)]],
])('targets with %s are refused', (_title, targets) => {
  expect(() => new InputBarrier('free').setTargets(targets)).toThrow('one target for each connection was needed');
});

test('reached() tells when a position was handled, or that the wait was given up', async () => {
  const barrier = new InputBarrier('free');
  const stop = new AbortController();
  const [kept, given] = [barrier.reached(at(2)), barrier.reached(at(2), stop.signal)];
  stop.abort();
  expect(await stateOf(given)).toEqual({ is: 'done', value: false });
  await barrier.complete(at(1));
  expect((await stateOf(kept)).is).toBe('waiting');
  await barrier.complete(at(3));
  expect(await stateOf(kept)).toEqual({ is: 'done', value: true });
});

test('isAfter() compares chunk, then unit', () => {
  expect([isAfter(at(2), at(1, 9)), isAfter(at(1, 2), at(1, 1)), isAfter(at(1), at(1)), isAfter(at(1, 9), at(2))]).toEqual([true, true, false, false]);
});
