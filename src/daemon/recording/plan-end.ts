/** A published plan ends with the end of something; what came behind that end joins it (cassette-contract 4.3). */

import { mergeCheckpointCandidate } from '../../core/checkpoint/build.ts';
import { checkpointKinds } from '../../core/checkpoint/kinds.ts';
import type { Checkpoint, CheckpointPlan, Trigger } from '../../core/checkpoint/plan.ts';

/**
 * The result of an activation, or a change of settings, may be recorded after the only turn has ended. Such a checkpoint is true
 * of the end too. Without any end the plan stays as it is, and its check says so.
 */
export function endPlan({ checkpoints }: CheckpointPlan): CheckpointPlan {
  const at = checkpoints.findLastIndex(({ kind }) => checkpointKinds[kind].isTerminal);
  const end = checkpoints[at];
  if (!end) return { checkpoints };
  return { checkpoints: [...checkpoints.slice(0, at), checkpoints.slice(at + 1).reduce(joinEnd, end)] };
}

function joinEnd(end: Checkpoint, later: Checkpoint): Checkpoint {
  const merged = mergeCheckpointCandidate(end, later);
  return { ...end, ...merged, kind: end.kind, trigger: follow(end.trigger, merged.cursor.activityEventSequence) };
}

// An activity boundary must be where its cursor is (4.5).
function follow(trigger: Trigger, sequence: bigint): Trigger {
  return trigger.source === 'activity-boundary' ? { ...trigger, afterActivityEventSequence: sequence } : trigger;
}
