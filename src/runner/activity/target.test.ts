import { expect, test } from 'vitest';
import type { Target } from '../../core/case/checkpoints.ts';
import { checkpoint } from './fixtures/lane-desk.ts';
import { findCheckpoint } from './target.ts';

const plan = [
  checkpoint(0, { kind: 'replay.bootstrap' }),
  checkpoint(1, { kind: 'interaction.pending', name: 'asked' }),
  checkpoint(2, { kind: 'turn.terminal', tags: ['turn.terminal', 'response.committed'] }),
  checkpoint(3, { kind: 'interaction.pending', name: 'interaction.pending 2' }),
  checkpoint(4, { kind: 'turn.terminal', name: 'turn.terminal 2' }),
];

test.each<[string, Target, number, number | null]>([
  ['an id', 'checkpoint-0003', -1, 3],
  ['an id that was passed', 'checkpoint-0000', 3, 0],
  ['a name of case.json', 'asked', -1, 1],
  ['a name that was passed', 'asked', 3, 1],
  ['the name of the nth of a kind', 'turn.terminal 2', -1, 4],
  ['a kind, which counts from the last one on', 'turn.terminal', -1, 2],
  ['a kind behind one of its own', 'turn.terminal', 2, 4],
  ['a kind that has a name of its own', 'interaction.pending', -1, 1],
  ['a kind that a checkpoint took in', 'response.committed', -1, 2],
  ['the second of a kind', { kind: 'interaction.pending', nth: 2 }, -1, 3],
  ['the first of a kind where none is said', { kind: 'turn.terminal' }, 2, 4],
  ['a kind that comes no more', 'turn.terminal', 4, null],
  ['the third of two', { kind: 'turn.terminal', nth: 3 }, -1, null],
  ['the zeroth', { kind: 'turn.terminal', nth: 0 }, -1, null],
  ['nothing of the plan', 'watered', -1, null],
])('findCheckpoint() finds %s', (_title, target, after, expected) => {
  const find = () => findCheckpoint(target, { checkpoints: plan, after });
  if (expected !== null) expect(find().index).toBe(expected);
  else expect(find).toThrow(expect.objectContaining({ code: 'target_unknown', message: `Cannot play to ${JSON.stringify(target)}: the rest of the plan has no such checkpoint, one of replay.bootstrap, asked, turn.terminal, interaction.pending 2, turn.terminal 2 was needed` }));
});
