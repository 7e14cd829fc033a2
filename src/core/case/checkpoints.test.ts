import { expect, test } from 'vitest';
import type { ObservationKind } from '../provider/adapter.ts';
import type { TapeObservation } from '../tape/lane.ts';
import type { CheckpointName } from './case.ts';
import { findTarget, planCheckpoints, unknownCheckpoints, type Target } from './checkpoints.ts';

const at = (kind: ObservationKind, n: number, chunkSeq: number, unitIndex: number, globalSeq: number): TapeObservation => ({ kind, facts: null, position: { connectionId: `connection-${n}`, chunkSeq, unitIndex }, globalSeq, elapsedMs: globalSeq });

const tape: TapeObservation[] = [
  at('session.ready', 1, 2, 1, 2),
  at('turn.working', 1, 4, 1, 5),
  at('interaction.pending', 1, 4, 2, 5),
  at('turn.working', 2, 3, 1, 6),
  at('turn.terminal', 1, 7, 1, 8),
  at('turn.terminal', 2, 5, 1, 9),
];

const checkPlan = (names: { [name: string]: CheckpointName }, planned: string[]) => {
  expect(planCheckpoints(tape, names).map((c) => `${c.id} ${c.name} @${c.globalSeq}`)).toEqual(planned);
};

test('planCheckpoints() takes pending interactions and ended turns where nothing is named', () => {
  checkPlan({}, ['checkpoint-0000 interaction.pending @5', 'checkpoint-0001 turn.terminal @8', 'checkpoint-0002 turn.terminal 2 @9']);
});

test('planCheckpoints() takes what is named, in tape order', () => {
  checkPlan({ end: { kind: 'turn.terminal', nth: 2 }, start: { kind: 'turn.working', nth: 1 }, never: { kind: 'turn.canceled', nth: 1 } }, ['checkpoint-0000 start @5', 'checkpoint-0001 end @9']);
});

test('unknownCheckpoints() names what the tape does not have', () => {
  expect(unknownCheckpoints(tape, { a: { kind: 'turn.terminal', nth: 3 }, b: { kind: 'turn.terminal', nth: 2 } })).toEqual(['a']);
});

const named = { asked: { kind: 'interaction.pending', nth: 1 }, 'turn.working': { kind: 'turn.terminal', nth: 2 } };

const checkTarget = (target: Target, after: number | null, globalSeq: number | null) => {
  const find = () => findTarget({ target, checkpoints: planCheckpoints(tape, named), observations: tape, after: after === null ? null : (tape[after] as TapeObservation) });
  if (globalSeq === null) expect(find).toThrow(expect.objectContaining({ code: 'target_unknown' }));
  else expect(find().globalSeq).toBe(globalSeq);
};

test.each<[string, Target, number | null, number | null]>([
  ['a name', 'asked', null, 5],
  ['a name that is behind', 'asked', 4, 5],
  ['an id', 'checkpoint-0000', null, 5],
  ['a kind', 'turn.terminal', null, 8],
  ['a kind from behind the last target on', 'turn.terminal', 4, 9],
  ['a kind in the same chunk', 'interaction.pending', 1, 5],
  ['a kind that a checkpoint is named like', 'turn.working', null, 5],
  ['the second of a kind', { kind: 'turn.working', nth: 2 }, null, 6],
  ['a kind of one connection', { kind: 'turn.terminal', connection: 'connection-2' }, null, 9],
  ['a kind that comes no more', 'interaction.pending', 2, null],
  ['an unknown name', 'nowhere', null, null],
  ['an unknown kind', { kind: 'turn.began' }, null, null],
])('findTarget() with %s', (_title, target, after, globalSeq) => checkTarget(target, after, globalSeq));

test('an unknown target names the checkpoints that there are', () => {
  expect(() => findTarget({ target: 'x', checkpoints: planCheckpoints(tape, {}), observations: tape, after: null })).toThrow('one of interaction.pending, turn.terminal, turn.terminal 2 or a kind');
});
