/** A checkpoint plan as values, and its text (cassette-contract 4.1-4.5). */

import type { Json, JsonObject } from '../json/exact.ts';
import { writeGoDocument } from '../json/go-text.ts';
import type { UnitKind } from '../ports.ts';
import { addressJson, type EntityAddress } from './address.ts';
import { observationSchemaVersion } from './fingerprint.ts';
import type { BoundaryKind, CheckpointKind, PredicateType } from './kinds.ts';
import { integerJson, isSameUnit, observationJson, unitJson, type ObservationPlace, type UnitPlace } from './position.ts';

/** Everything up to here is consumed, on every lane; connections in byte order of their ids (4.4). */
export type VectorCursor = { activityEventSequence: bigint; providerConnections: readonly UnitPlace[] };

export type Trigger =
  | { source: 'bootstrap' }
  | { source: 'activity-boundary'; afterActivityEventSequence: bigint; boundaryKind: BoundaryKind }
  | { source: 'provider-observation'; position: ObservationPlace; unitKind: UnitKind; type: string; fingerprint: string };

/** `subject` counts from 0 in the subjects of the checkpoint. */
export type Predicate = { type: PredicateType; subject: number; equals: string };

/** What a checkpoint says, before the plan gives it a place. */
export type CheckpointCandidate = {
  kind: CheckpointKind;
  tags: readonly string[];
  cursor: VectorCursor;
  trigger: Trigger;
  subjects: readonly EntityAddress[];
  predicates: readonly Predicate[];
};

export type Checkpoint = CheckpointCandidate & { id: string; index: number };
export type CheckpointPlan = { checkpoints: readonly Checkpoint[] };

export const planFile = 'checkpoint-plan.json';
export const planSchemaVersion = 2;
/** Of the cassette that a plan belongs to; the manifest says it too. */
export const planCassetteSchemaVersion = 7;

/** `checkpoint-0000` and on; a fifth digit where four do not do (4.2). */
export function checkpointId(index: number): string {
  return `checkpoint-${String(index).padStart(4, '0')}`;
}

export function isSameCursor(a: VectorCursor, b: VectorCursor): boolean {
  if (a.activityEventSequence !== b.activityEventSequence || a.providerConnections.length !== b.providerConnections.length) return false;
  return a.providerConnections.every((place, i) => isSameUnit(place, b.providerConnections[i] as UnitPlace));
}

/** `checkpoint-plan.json` as published: every member is written, also empty lists (4.2). */
export function writePlan(plan: CheckpointPlan): string {
  return writeGoDocument(planJson(plan));
}

export function planJson({ checkpoints }: CheckpointPlan): JsonObject {
  return {
    schemaVersion: planSchemaVersion,
    cassetteSchemaVersion: planCassetteSchemaVersion,
    observationSchemaVersion,
    checkpoints: checkpoints.map(checkpointJson),
  };
}

function checkpointJson({ id, index, kind, tags, cursor, trigger, subjects, predicates }: Checkpoint): JsonObject {
  return {
    id,
    index,
    kind,
    tags: [...tags],
    cursor: { activityEventSequence: integerJson(cursor.activityEventSequence), providerConnections: cursor.providerConnections.map(unitJson) },
    trigger: triggerJson(trigger),
    subjects: subjects.map(addressJson),
    readiness: { all: predicates.map(({ type, subject, equals }): Json => ({ type, subject, equals })) },
  };
}

function triggerJson(trigger: Trigger): JsonObject {
  const { source } = trigger;
  switch (source) {
    case 'bootstrap':
      return { source };
    case 'activity-boundary':
      return { source, afterActivityEventSequence: integerJson(trigger.afterActivityEventSequence), boundaryKind: trigger.boundaryKind };
    case 'provider-observation':
      return { source, position: observationJson(trigger.position), unitKind: trigger.unitKind, type: trigger.type, fingerprint: trigger.fingerprint };
  }
}
