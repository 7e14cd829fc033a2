/** Every rule of a checkpoint plan (cassette-contract 4.1-4.9); completeness of the events (T6) is checked with the events. */

import type { Report } from '../issue.ts';
import { isObject, member, type Json } from '../json/exact.ts';
import { isBlank, present, shown, trim } from '../json/read.ts';
import type { EntityAddress } from './address.ts';
import { readBoundaries, type ActivityFactsLike, type Boundaries } from './boundary.ts';
import { checkCursor, type Complain, type CursorFacts } from './check-cursor.ts';
import { checkPredicates, checkSubjects } from './check-subjects.ts';
import { checkTrigger } from './check-trigger.ts';
import { observationSchemaVersion } from './fingerprint.ts';
import { checkpointKinds, isCheckpointKind, type CheckpointKind } from './kinds.ts';
import { checkpointId, planCassetteSchemaVersion, planFile, planSchemaVersion, type Checkpoint, type CheckpointPlan, type Predicate, type Trigger, type VectorCursor } from './plan.ts';
import { zeroInteger, zeroList, zeroText } from '../json/zero.ts';

export type PlanContext = {
  /** Of the tape; `null` or none switches the connection rule off (4.4 C3). */
  connectionIds: readonly string[] | null;
  /** One for each line of `activity-events.jsonl`; `null` or none switches the rules about events off (3.3). */
  events: readonly ActivityFactsLike[] | null;
};

/** What could be read of a checkpoint; `null` for a part that is not usable. */
export type CheckpointFacts = {
  path: string;
  kind: CheckpointKind | null;
  tags: readonly string[] | null;
  cursor: VectorCursor | null;
  trigger: Trigger | null;
  subjects: readonly (EntityAddress | null)[] | null;
  predicates: readonly (Predicate | null)[] | null;
};

export type PlanFacts = { checkpoints: readonly CheckpointFacts[] };

/** Reports every broken rule; what could be read comes back, `null` where there are no checkpoints (cassette-contract 4.9). */
export function checkPlan(value: Json, context: PlanContext, report: Report): PlanFacts | null {
  if (value !== null && !isObject(value)) return null;
  const complain: Complain = (code, path, is, needed) => report({ code, file: planFile, path, is, needed });
  checkVersions(value, complain);
  const list = zeroList(value, 'checkpoints');
  if (list === null) return null;
  if (list.length === 0) {
    complain('plan_empty', '$.checkpoints', 'there is no checkpoint', 'at least the bootstrap was needed');
    return null;
  }
  const ids = context.connectionIds?.map(trim).filter((id) => id !== '') ?? [];
  const walk = { connectionIds: ids.length > 0 ? new Set(ids) : null, boundaries: readBoundaries(context.events), complain, report };
  return { checkpoints: walkCheckpoints(list, walk) };
}

/** The plan as values, or `null` where a checkpoint has a part that is not usable. Says nothing about rules between parts. */
function completePlan(facts: PlanFacts | null): CheckpointPlan | null {
  if (facts === null) return null;
  const checkpoints = facts.checkpoints.map(completeCheckpoint);
  return checkpoints.every((checkpoint) => checkpoint !== null) ? { checkpoints } : null;
}

/** A plan of trusted text, `null` where it breaks a rule that can be seen in it alone (cassette-contract 4.9, last sentence). */
export function parsePlan(value: Json): CheckpointPlan | null {
  let isSound = true;
  const facts = checkPlan(value, { connectionIds: null, events: null }, () => void (isSound = false));
  return isSound ? completePlan(facts) : null;
}

/** The rule of publication alone: the last checkpoint is the end of something (cassette-contract 4.3). */
export function checkPublishedPlan({ checkpoints }: PlanFacts, report: Report): void {
  const last = checkpoints.at(-1);
  if (!last?.kind || checkpointKinds[last.kind].isTerminal) return;
  report({ code: 'last_checkpoint_not_terminal', file: planFile, path: `${last.path}.kind`, is: `the last checkpoint is ${last.kind}`, needed: 'the end of a turn, goal, child session or compaction was needed' });
}

function checkVersions(value: Json, complain: Complain): void {
  for (const [key, needed] of Object.entries(versions)) {
    const found = zeroInteger(value, key);
    if (found !== null && found !== BigInt(needed)) complain('plan_schema_unsupported', `$.${key}`, `${key} is ${present(value, key) === undefined ? 'absent' : found}`, `${needed} was needed`);
  }
}

type Walk = { connectionIds: ReadonlySet<string> | null; boundaries: Boundaries | null; complain: Complain; report: Report };

function walkCheckpoints(list: readonly Json[], walk: Walk): CheckpointFacts[] {
  let previous: CursorFacts | null = null;
  let before = { index: -1n };
  return list.map((value, i) => {
    const path = `$.checkpoints[${i}]`;
    if (value === null) walk.complain('plan_invalid', path, 'the checkpoint is null', 'a checkpoint was needed');
    if (!isObject(value)) return { path, kind: null, tags: null, cursor: null, trigger: null, subjects: null, predicates: null };
    before = checkIdentity({ value, path, place: i, before: before.index }, walk.complain);
    const { kind, tags } = checkKind({ value, path }, walk.complain);
    const cursor = checkCursor({ value: member(value, 'cursor'), path: `${path}.cursor`, previous, connectionIds: walk.connectionIds }, walk.complain);
    const trigger = checkTrigger({ value: member(value, 'trigger'), path: `${path}.trigger`, isFirst: i === 0, cursor, boundaries: walk.boundaries }, walk.complain);
    const isBeyond = checkBeyond({ cursor, trigger, path }, walk);
    previous = isBeyond ? { ...cursor, activity: previous?.activity ?? null } : cursor;
    const subjects = checkSubjects({ value, path }, walk.report);
    const predicates = checkPredicates({ value, path, subjectCount: subjects?.length ?? null }, walk.complain);
    return { path, kind, tags, cursor: cursor.cursor, trigger, subjects, predicates };
  });
}

type IdentityQuestion = { value: Json; path: string; place: number; before: bigint };

// A checkpoint that is taken out or put in must not make all the later ones wrong: an index may also follow the one before it,
// and an id may follow its own index. Whatever passes so has an index reported at or before it.
function checkIdentity({ value, path, place, before }: IdentityQuestion, complain: Complain): { index: bigint } {
  const index = zeroInteger(value, 'index');
  if (index !== null && index !== BigInt(place) && index !== before + 1n) complain('checkpoint_index_invalid', `${path}.index`, `the index is ${present(value, 'index') === undefined ? 'absent' : index}`, `${place} was needed`);
  const id = zeroText(value, 'id');
  const expected = [checkpointId(place), ...(index === null ? [] : [`checkpoint-${String(index).padStart(4, '0')}`])];
  if (id !== null && !expected.includes(id)) complain('checkpoint_id_invalid', `${path}.id`, `the id is ${id === '' ? 'absent' : shown(id)}`, `"${checkpointId(place)}" was needed`);
  return { index: index ?? BigInt(place) };
}

function checkKind({ value, path }: { value: Json; path: string }, complain: Complain): { kind: CheckpointKind | null; tags: string[] | null } {
  const kind = zeroText(value, 'kind');
  const list = zeroList(value, 'tags')?.map((tag) => tag ?? '');
  const tags = list?.every((tag) => typeof tag === 'string') ? list : null;
  const isKnown = kind !== null && isCheckpointKind(kind);
  if (kind !== null && !isKnown) complain('checkpoint_kind_unknown', `${path}.kind`, `the kind is ${kind === '' ? 'absent' : shown(kind)}`, 'a kind of checkpoint was needed');
  if (kind !== null && !isBlank(kind) && tags?.includes(kind) === false) complain('checkpoint_tag_missing', `${path}.tags`, `the tags lack ${shown(kind)}`, 'the kind among the tags was needed');
  return { kind: isKnown ? kind : null, tags };
}

// The reference compares boundaries with the events, its runner every cursor: where the first has spoken the second is silent.
// True where every reader has something against this activity part, so that the next one need not be compared with it.
function checkBeyond({ cursor, trigger, path }: { cursor: CursorFacts; trigger: Trigger | null; path: string }, { boundaries, complain }: Walk): boolean {
  const activity = cursor.cursor?.activityEventSequence;
  if (boundaries === null || activity === undefined || activity <= boundaries.eventCount) return false;
  if (trigger?.source === 'activity-boundary' && trigger.afterActivityEventSequence > boundaries.eventCount) return true;
  complain('cursor_beyond_events', `${path}.cursor.activityEventSequence`, `the activity part is ${activity} and there are ${boundaries.eventCount} events`, 'the sequence of an event was needed');
  return trigger?.source === 'activity-boundary' && trigger.afterActivityEventSequence !== activity;
}

function completeCheckpoint({ kind, tags, cursor, trigger, subjects, predicates }: CheckpointFacts, index: number): Checkpoint | null {
  if (kind === null || tags === null || cursor === null || trigger === null || subjects === null || predicates === null) return null;
  const whole = { subjects: subjects.filter((subject) => subject !== null), predicates: predicates.filter((predicate) => predicate !== null) };
  const isWhole = whole.subjects.length === subjects.length && whole.predicates.length === predicates.length;
  return isWhole ? { id: checkpointId(index), index, kind, tags, cursor, trigger, ...whole } : null;
}

const versions = { schemaVersion: planSchemaVersion, cassetteSchemaVersion: planCassetteSchemaVersion, observationSchemaVersion };
