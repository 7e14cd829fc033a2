import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UnitPosition } from '../core/ports.ts';
import { settle, stateOf } from './fixtures/fake-clock.ts';
import { isAfter } from './input-barrier.ts';
import { LaneGates, type LaneGate } from './lane-gates.ts';

const at = (chunkSeq: number, connectionId = 'a', unitIndex = 1): UnitPosition => ({ connectionId, chunkSeq, unitIndex });
const overshot = expect.objectContaining({ code: 'checkpoint_provider_overshot' });
const limitOf = (gates: LaneGates, connectionId = 'a') => {
  const limit = gates.limitOf(connectionId);
  return limit && [limit.chunkSeq, limit.unitIndex];
};

const checkLimit = (lanes: UnitPosition[][], targets: UnitPosition[] | null, limit: number[] | null) => {
  const gates = new LaneGates(lanes.map((places, i) => ({ id: String(i), lanes: places })));
  if (targets) gates.setTargets(targets);
  expect(limitOf(gates)).toEqual(limit);
};

test.each<[string, UnitPosition[][], UnitPosition[] | null, number[] | null]>([
  ['nothing holds it', [], null, null],
  ['one gate holds it', [[at(3)]], null, [3, 1]],
  ['the lowest gate holds it', [[at(3)], [at(2)], [at(9)]], null, [2, 1]],
  ['the lowest unit of one chunk holds it', [[at(3, 'a', 2)], [at(3, 'a', 1)]], null, [3, 1]],
  ['a gate does not name it', [[at(3, 'b')]], null, [0, 0]],
  ['a gate names nothing', [[]], null, [0, 0]],
  ['a checkpoint is nearer', [[at(3)]], [at(2)], [2, 1]],
  ['a checkpoint does not name it', [[at(3)]], [at(2, 'b')], [0, 0]],
])('the limit of a connection when %s', (_title, lanes, targets, limit) => checkLimit(lanes, targets, limit));

test('a connection waits before its first unit until every gate lets it begin', async () => {
  const gates = new LaneGates([{ id: 'one', lanes: [] }, { id: 'two', lanes: [at(1, 'b')] }]);
  const waiting = gates.admit('a');
  gates.lift('one');
  expect((await stateOf(waiting)).is).toBe('waiting');
  gates.lift('two');
  expect((await stateOf(waiting)).is).toBe('done');
});

test('a connection parks at its limit, and lifting that gate lets it go on to the next', async () => {
  const gates = new LaneGates([{ id: 'one', lanes: [at(2)] }, { id: 'two', lanes: [at(3)] }]);
  await gates.complete(at(1));
  const parked = gates.complete(at(2));
  expect([(await stateOf(parked)).is, gates.hasHandled(at(2)), gates.isHeld('a')]).toEqual(['waiting', true, true]);
  gates.lift('one');
  await parked;
  expect((await stateOf(gates.complete(at(3)))).is).toBe('waiting');
});

test.each<[string, (gates: LaneGates, stop: AbortController) => void, string]>([
  ['a target beyond', (gates) => gates.setTargets([at(3)]), 'done'],
  ['no targets', (gates) => gates.clear(), 'done'],
  ['an abort', (_gates, stop) => stop.abort(), 'done'],
  ['the same target again', (gates) => gates.setTargets([at(2)]), 'waiting'],
  ['progress of another connection', (gates) => void gates.complete(at(1, 'b')), 'waiting'],
])('a connection that is held by a checkpoint is %s', async (_title, change, is) => {
  const gates = new LaneGates([]);
  const stop = new AbortController();
  gates.setTargets([at(2), at(5, 'b')]);
  const parked = gates.complete(at(2), stop.signal);
  change(gates, stop);
  expect((await stateOf(parked)).is).toBe(is);
});

test('a checkpoint below what was handled is a fault, and the earlier one stays', async () => {
  const gates = new LaneGates([]);
  gates.setTargets([at(9)]);
  await gates.complete(at(3));
  expect(() => gates.setTargets([at(2)])).toThrow(overshot);
  expect(() => gates.setTargets([at(9, 'b')])).toThrow(overshot);
  expect(gates.targetOf('a')).toEqual(at(9));
});

test('a unit beyond the limit is handled by nobody who waited, and is a fault', async () => {
  const gates = new LaneGates([{ id: 'one', lanes: [at(2)] }]);
  await expect(gates.complete(at(3))).rejects.toEqual(overshot);
  await expect(gates.complete(at(1))).rejects.toEqual(overshot);
});

test('reached() tells when a position was handled, or that the wait was given up', async () => {
  const gates = new LaneGates([]);
  const stop = new AbortController();
  const [kept, given] = [gates.reached(at(2)), gates.reached(at(2), stop.signal)];
  stop.abort();
  expect(await stateOf(given)).toEqual({ is: 'done', value: false });
  await gates.complete(at(2));
  expect(await stateOf(kept)).toEqual({ is: 'done', value: true });
});

const connectionIds = ['a', 'b', 'c'] as const;
const laneLength = 6;
const vector = fc.subarray([...connectionIds]).chain((ids) => fc.tuple(...ids.map((id) => fc.integer({ min: 0, max: laneLength }).map((chunkSeq) => at(chunkSeq, id, chunkSeq === 0 ? 0 : 1)))));

/** A reader for each connection: it takes the next unit when it may, and fails where a gate or the checkpoint was below it. */
function readAll(gates: LaneGates, active: () => readonly (readonly UnitPosition[])[]): Promise<void>[] {
  return connectionIds.map(async (connectionId) => {
    for (let chunkSeq = 1; chunkSeq <= laneLength; chunkSeq++) {
      await gates.admit(connectionId);
      const unit = at(chunkSeq, connectionId);
      for (const lanes of active()) expect(isAfter(unit, lanes.find((place) => place.connectionId === connectionId) ?? at(0, connectionId, 0))).toBe(false);
      await gates.complete(unit);
    }
  });
}

test('no unit beyond a gate is handled, and everything is in the end, in whatever order the gates are lifted', async () => {
  const lifted = fc.array(vector, { maxLength: 6 }).chain((vectors) => fc.tuple(fc.constant(vectors), fc.shuffledSubarray(vectors.map((_, i) => i), { minLength: vectors.length })));
  await fc.assert(
    fc.asyncProperty(lifted, async ([vectors, order]) => {
      const active = new Map(vectors.map((lanes, i) => [String(i), lanes]));
      const gates = new LaneGates(vectors.map((lanes, i): LaneGate => ({ id: String(i), lanes })));
      const readers = Promise.all(readAll(gates, () => [...active.values()]));
      for (const i of order) {
        await settle();
        active.delete(String(i));
        gates.lift(String(i));
      }
      await readers;
      expect(connectionIds.every((id) => gates.hasHandled(at(laneLength, id)))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('a recorded order is kept without the waits: each event comes between the units it came between, and nothing locks', async () => {
  const step = fc.oneof(fc.constantFrom(...connectionIds), fc.constantFrom('event' as const));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), fc.integer({ min: 0, max: 3 }), async (steps, lag) => {
      const { events, units } = record(steps, lag);
      const gates = new LaneGates(events.map(({ accepted }, i) => ({ id: String(i), lanes: accepted })));
      const order: string[] = [];
      const readers = [...units].map(async ([connectionId, unitCount]) => {
        for (let chunkSeq = 1; chunkSeq <= unitCount; chunkSeq++) {
          await gates.admit(connectionId);
          order.push(`${connectionId}${chunkSeq}`);
          await gates.complete(at(chunkSeq, connectionId));
        }
      });
      for (const [i, { seen }] of events.entries()) {
        for (const place of seen) await gates.reached(place);
        order.push(`event ${i}`);
        gates.lift(String(i));
      }
      await Promise.all(readers);
      for (const [i, { seen, accepted }] of events.entries()) {
        const before = order.slice(0, order.indexOf(`event ${i}`));
        for (const { connectionId, chunkSeq } of seen) expect(before).toContain(`${connectionId}${chunkSeq}`);
        for (const connectionId of connectionIds) expect(before.filter((entry) => entry.startsWith(connectionId)).length).toBeLessThanOrEqual(accepted.find((place) => place.connectionId === connectionId)?.chunkSeq ?? 0);
      }
    }),
    { numRuns: 150 },
  );
});

/** What was seen lags behind what was accepted, as a window does. */
function record(steps: readonly string[], lag: number) {
  const units = new Map<string, number>();
  const vectors: UnitPosition[][] = [[]];
  const events: { seen: UnitPosition[]; accepted: UnitPosition[] }[] = [];
  for (const name of steps) {
    if (name === 'event') {
      events.push({ seen: vectors[Math.max(0, vectors.length - 1 - lag)] ?? [], accepted: vectors.at(-1) ?? [] });
      continue;
    }
    units.set(name, (units.get(name) ?? 0) + 1);
    vectors.push([...units].map(([id, chunkSeq]) => at(chunkSeq, id)));
  }
  return { events, units };
}
