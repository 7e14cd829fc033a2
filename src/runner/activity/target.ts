/** What a target names in a plan: a name, an id, a kind, or the nth of a kind from the last one on (interface.md, `replay`). */

import type { Target } from '../../core/case/checkpoints.ts';
import { Fault } from '../../core/fault.ts';
import type { PlannedCheckpoint } from './script.ts';

/** `after` is the index of the last checkpoint that was reached, -1 for none. */
export function findCheckpoint(target: Target, { checkpoints, after }: { checkpoints: readonly PlannedCheckpoint[]; after: number }): PlannedCheckpoint {
  const named = typeof target === 'string' ? checkpoints.find(({ id, name, kind }) => id === target || (name === target && name !== kind)) : undefined;
  if (named) return named;
  const { kind, nth = 1 } = typeof target === 'string' ? { kind: target } : target;
  // A checkpoint that took another one in still is what that one was.
  const found = checkpoints.filter(({ index, tags }) => index > after && tags.includes(kind))[nth - 1];
  if (found) return found;
  const known = checkpoints.map(({ name }) => name).join(', ');
  throw new Fault({ code: 'target_unknown', message: `Cannot play to ${JSON.stringify(target)}: the rest of the plan has no such checkpoint, one of ${known} was needed`, facts: { known } });
}
