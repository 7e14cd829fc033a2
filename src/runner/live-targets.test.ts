import { expect, test } from 'vitest';
import type { CheckpointName } from '../core/case/case.ts';
import { findTarget, planCheckpoints, type Target } from '../core/case/checkpoints.ts';
import type { ObservationKind } from '../core/provider/adapter.ts';
import { LiveTargets } from './live-targets.ts';

const session: readonly [ObservationKind, number][] = [
  ['session.ready', 1],
  ['interaction.pending', 1],
  ['turn.terminal', 1],
  ['interaction.pending', 2],
  ['turn.terminal', 2],
  ['turn.terminal', 1],
];
const named: { [name: string]: CheckpointName } = { asked: { kind: 'interaction.pending', nth: 2 }, 'turn.terminal': { kind: 'turn.terminal', nth: 2 } };

function live(names: { [name: string]: CheckpointName }, count = session.length, after = 0): LiveTargets {
  const targets = new LiveTargets(names);
  for (const [kind, n] of session.slice(0, count)) targets.see({ kind, facts: null }, `connection-${n}`);
  const last = targets.observations[after - 1];
  if (last) targets.reach(last);
  return targets;
}

test.each<[Target, { [name: string]: CheckpointName }, number, number | null]>([
  ['turn.terminal', {}, 0, 3],
  ['turn.terminal', {}, 3, 5],
  ['turn.terminal', named, 0, 3],
  [{ kind: 'turn.terminal', nth: 2 }, {}, 0, 5],
  [{ kind: 'turn.terminal', connection: 'connection-2' }, {}, 0, 5],
  [{ kind: 'interaction.pending', connection: 'connection-2' }, {}, 2, 4],
  ['turn.terminal 2', {}, 0, 5],
  ['checkpoint-0000', {}, 0, 2],
  ['checkpoint-0003', {}, 0, 5],
  ['checkpoint-0000', named, 0, 4],
  ['asked', named, 5, 4],
])('%j with %j behind observation %i stands where a tape has it', (target, names, after, place) => {
  const targets = live(names, session.length, after);
  targets.check(target);
  expect(targets.find(target)?.globalSeq ?? null).toBe(place);
  const { observations } = targets;
  const found = findTarget({ target, checkpoints: planCheckpoints(observations, names), observations, after: observations[after - 1] ?? null });
  expect(found.globalSeq).toBe(place);
});

test.each<[Target, { [name: string]: CheckpointName }]>([
  ['askd', named],
  ['asked', {}],
  ['turn.terminal 2', named],
  ['session.ready 2', {}],
  ['checkpoint-0002', named],
  ['toString', named],
  [{ kind: 'turn.over' }, {}],
  [{ kind: 'turn.terminal', nth: 0 }, {}],
])('%j with %j is unknown at once', (target, names) => {
  expect(() => live(names).check(target)).toThrow(expect.objectContaining({ code: 'target_unknown', message: expect.stringContaining(JSON.stringify(target)) }));
});

test('what has not come yet is awaited', () => {
  expect([live({}, 1).find('turn.terminal'), live(named, 3).find('asked'), live({}, 1).findNext()]).toEqual([null, null, null]);
});

test.each<[string, { [name: string]: CheckpointName }, number[]]>([
  ['the default kinds', {}, [2, 3, 4, 5, 6]],
  ['the names of the case', named, [4, 5]],
])('the next checkpoint follows %s, in their order of arrival', (_title, names, places) => {
  const targets = live(names);
  for (const place of places) {
    const next = targets.findNext();
    expect(next?.globalSeq).toBe(place);
    if (next) targets.reach(next);
  }
  if (names === named) expect(() => targets.findNext()).toThrow(expect.objectContaining({ code: 'target_unknown' }));
  else expect(targets.findNext()).toBe(null);
});
