/** Plans as they grow while a recording runs (cassette-contract 4.3, 6.7). */

import { compareBytes } from '../json/go-text.ts';
import { entityAddressKey, type EntityAddress } from './address.ts';
import { foldTurnPhase } from './fold.ts';
import { checkpointKinds, type CheckpointKind } from './kinds.ts';
import { checkpointId, isSameCursor, type Checkpoint, type CheckpointCandidate, type CheckpointPlan, type Predicate, type Trigger, type VectorCursor } from './plan.ts';
import type { UnitPlace } from './position.ts';

/** A candidate; phases are folded when a plan is written, so that a reader need not know the activity layer (4.8). */
export function createCheckpoint(parts: Omit<CheckpointCandidate, 'tags'>): CheckpointCandidate {
  return { ...parts, tags: [parts.kind], predicates: parts.predicates.map(foldPredicate) };
}

/** A fresh plan: the bootstrap, with nothing consumed on any connection, no subject and no predicate (4.2). */
export function createPlan(connectionIds: readonly string[] = []): CheckpointPlan {
  const cursor = { activityEventSequence: 0n, providerConnections: [] };
  const bootstrap = createCheckpoint({ kind: 'replay.bootstrap', cursor, trigger: { source: 'bootstrap' }, subjects: [], predicates: [] });
  return addConnections({ checkpoints: [placed(bootstrap, 0)] }, connectionIds);
}

/**
 * Appends, or merges where the cursor is the last one's. What follows the end of a turn only to close its interaction joins it:
 * a plan ends with an end (4.3). A connection that is new enters every earlier cursor first (6.7).
 */
export function appendCheckpoint(plan: CheckpointPlan, candidate: CheckpointCandidate): CheckpointPlan {
  const { checkpoints } = addConnections(plan, candidate.cursor.providerConnections.map(({ connectionId }) => connectionId));
  const last = checkpoints.at(-1);
  const kept = checkpoints.slice(0, -1);
  if (last && isSameCursor(last.cursor, candidate.cursor)) return { checkpoints: [...kept, placed(mergeCheckpointCandidate(last, candidate), last.index)] };
  if (last && checkpointKinds[last.kind].isTerminal && closers.has(candidate.kind)) return { checkpoints: [...kept, placed(foldIntoEnd(last, candidate), last.index)] };
  return { checkpoints: [...checkpoints, placed(candidate, checkpoints.length)] };
}

/** Two candidates as one: the weightier gives kind and trigger, the earlier where they weigh the same (4.3). */
export function mergeCheckpointCandidate(earlier: CheckpointCandidate, later: CheckpointCandidate): CheckpointCandidate {
  const isLaterFirst = checkpointKinds[later.kind].priority > checkpointKinds[earlier.kind].priority;
  const { kind, trigger } = isLaterFirst ? later : earlier;
  const subjects = uniteSubjects(earlier.subjects, later.subjects);
  const predicates = [earlier, later].flatMap((source) => source.predicates.map((predicate) => moved(predicate, source.subjects, subjects)));
  return { kind, trigger, tags: [...new Set([...earlier.tags, ...later.tags])], cursor: later.cursor, subjects, predicates };
}

/** Every cursor names every connection, those that came later at (0, 0) (6.7). */
export function addConnections(plan: CheckpointPlan, connectionIds: readonly string[]): CheckpointPlan {
  return { checkpoints: plan.checkpoints.map((checkpoint) => ({ ...checkpoint, cursor: withConnections(checkpoint.cursor, connectionIds) })) };
}

function withConnections(cursor: VectorCursor, connectionIds: readonly string[]): VectorCursor {
  const known = new Set(cursor.providerConnections.map(({ connectionId }) => connectionId));
  const added = [...new Set(connectionIds)].filter((id) => !known.has(id)).map((connectionId): UnitPlace => ({ connectionId, chunkSeq: 0n, unitIndex: 0n }));
  return { ...cursor, providerConnections: [...cursor.providerConnections, ...added].sort((a, b) => compareBytes(a.connectionId, b.connectionId)) };
}

function foldIntoEnd(end: Checkpoint, candidate: CheckpointCandidate): CheckpointCandidate {
  const merged = mergeCheckpointCandidate(end, candidate);
  return { ...merged, kind: end.kind, trigger: followCursor(end.trigger, merged.cursor) };
}

// An activity boundary must be where its cursor is: with the old place the plan that the reference makes here would be refused
// by its own rules (docs/discoveries/contract-vectors.md).
function followCursor(trigger: Trigger, { activityEventSequence }: VectorCursor): Trigger {
  return trigger.source === 'activity-boundary' ? { ...trigger, afterActivityEventSequence: activityEventSequence } : trigger;
}

function uniteSubjects(first: readonly EntityAddress[], second: readonly EntityAddress[]): EntityAddress[] {
  const byKey = new Map<string, EntityAddress>();
  for (const address of [...first, ...second]) {
    const key = entityAddressKey(address);
    if (!byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}

// A subject that is not there becomes -1, which no plan may hold: the fault of the candidate shows when the plan is checked.
function moved(predicate: Predicate, from: readonly EntityAddress[], to: readonly EntityAddress[]): Predicate {
  const subject = from[predicate.subject];
  const key = subject && entityAddressKey(subject);
  return { ...predicate, subject: key === undefined ? -1 : to.findIndex((candidate) => entityAddressKey(candidate) === key) };
}

function foldPredicate(predicate: Predicate): Predicate {
  return predicate.type === 'turn.phase' ? { ...predicate, equals: foldTurnPhase(predicate.equals) } : predicate;
}

function placed(candidate: CheckpointCandidate, index: number): Checkpoint {
  const { kind, tags, cursor, trigger, subjects, predicates } = candidate;
  return { id: checkpointId(index), index, kind, tags, cursor, trigger, subjects, predicates };
}

const closers = new Set<CheckpointKind>(['interaction.resolved', 'interaction.superseded']);
