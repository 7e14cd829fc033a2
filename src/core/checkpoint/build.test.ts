import { expect, test } from 'vitest';
import { rootAddress, type EntityAddress } from './address.ts';
import { addConnections, appendCheckpoint, createCheckpoint, createPlan, mergeCheckpointCandidate } from './build.ts';
import { checkPlan, checkPublishedPlan } from './check-plan.ts';
import type { CheckpointKind } from './kinds.ts';
import { planJson, type CheckpointCandidate, type CheckpointPlan, type Trigger } from './plan.ts';

const turn = (chunkSeq: bigint): EntityAddress => ({ kind: 'turn', origin: { source: 'provider-observation', providerObservation: { connectionId: 'c1', chunkSeq, unitIndex: 1n, eventIndex: 1n } } });
const observed = (chunkSeq: bigint, type: string): Trigger => ({ source: 'provider-observation', position: { connectionId: 'c1', chunkSeq, unitIndex: 1n, eventIndex: 1n }, unitKind: 'protocol-message', type, fingerprint: `sha256:${'0'.repeat(64)}` });
const boundary = (sequence: bigint): Trigger => ({ source: 'activity-boundary', afterActivityEventSequence: sequence, boundaryKind: 'intent-effects' });
const cursor = (activityEventSequence: bigint, chunkSeq: bigint) => ({ activityEventSequence, providerConnections: [{ connectionId: 'c1', chunkSeq, unitIndex: 1n }] });
const candidate = (kind: CheckpointKind, parts: Partial<CheckpointCandidate> = {}): CheckpointCandidate =>
  createCheckpoint({ kind, cursor: cursor(1n, 4n), trigger: observed(4n, kind), subjects: [], predicates: [], ...parts });

/** What the rules of a published plan say about it. */
const codes = (plan: CheckpointPlan) => {
  const found: string[] = [];
  const facts = checkPlan(planJson(plan), { connectionIds: null, events: null }, ({ code }) => void found.push(code));
  checkPublishedPlan(facts!, ({ code }) => void found.push(code));
  return found;
};

test('mergeCheckpointCandidate() keeps a shared subject once and finds it again for each predicate', () => {
  const first = candidate('tool.started', { subjects: [rootAddress, turn(1n)], predicates: [{ type: 'turn.phase', subject: 1, equals: 'running' }] });
  const second = candidate('turn.working', { subjects: [turn(1n), turn(2n)], predicates: [{ type: 'turn.phase', subject: 0, equals: 'running' }, { type: 'turn.status', subject: 1, equals: 'x' }] });
  const merged = mergeCheckpointCandidate(first, second);
  expect(merged.subjects).toEqual([rootAddress, turn(1n), turn(2n)]);
  expect(merged.predicates.map(({ type, subject }) => `${type} ${subject}`)).toEqual(['turn.phase 1', 'turn.phase 1', 'turn.status 2']);
  expect(merged.tags).toEqual(['tool.started', 'turn.working']);
});

test('mergeCheckpointCandidate() makes -1 of a subject that is not there, and the plan is refused', () => {
  const lost = candidate('turn.terminal', { predicates: [{ type: 'turn.status', subject: 3, equals: 'completed' }] });
  const merged = mergeCheckpointCandidate(candidate('turn.working'), lost);
  expect(merged.predicates[0]?.subject).toBe(-1);
  expect(codes(appendCheckpoint(createPlan(), merged))).toEqual(['predicate_subject_invalid']);
});

const checkMerge = (earlier: CheckpointKind, later: CheckpointKind, kept: CheckpointKind) => {
  const merged = mergeCheckpointCandidate(candidate(earlier), candidate(later));
  expect([merged.kind, merged.trigger]).toEqual([kept, observed(4n, kept)]);
  expect(merged.tags).toEqual([earlier, later]);
};
test.each<[CheckpointKind, CheckpointKind, CheckpointKind]>([
  ['turn.working', 'compaction.running', 'turn.working'],
  ['compaction.completed', 'turn.working', 'turn.working'],
  ['tool.completed', 'turn.terminal', 'turn.terminal'],
  ['turn.terminal', 'interaction.pending', 'turn.terminal'],
  ['turn.canceled', 'turn.terminal', 'turn.canceled'],
  ['tool.started', 'plan.waiting', 'plan.waiting'],
  ['session.ready', 'project.binding-ready', 'project.binding-ready'],
  ['session.ready', 'settings.applied', 'session.ready'],
])('mergeCheckpointCandidate() of %s and %s is a %s', checkMerge);

test('appendCheckpoint() merges what stands at one cursor and appends what does not', () => {
  const plan = [candidate('tool.completed'), candidate('turn.terminal'), candidate('turn.terminal', { cursor: cursor(1n, 9n), trigger: observed(9n, 'turn.terminal') })].reduce(appendCheckpoint, createPlan());
  expect(plan.checkpoints.map(({ id, index, kind, tags }) => [id, index, kind, tags.length])).toEqual([
    ['checkpoint-0000', 0, 'replay.bootstrap', 1],
    ['checkpoint-0001', 1, 'turn.terminal', 2],
    ['checkpoint-0002', 2, 'turn.terminal', 1],
  ]);
  expect(codes(plan)).toEqual([]);
});

test('appendCheckpoint() folds the close of an interaction into the end before it, and the cursor moves on', () => {
  const late = candidate('interaction.superseded', { cursor: cursor(1n, 6n), trigger: observed(6n, 'interaction.superseded') });
  const plan = [candidate('turn.terminal'), late].reduce(appendCheckpoint, createPlan());
  const last = plan.checkpoints.at(-1);
  expect([plan.checkpoints.length, last?.kind, last?.trigger, last?.cursor, last?.tags]).toEqual([2, 'turn.terminal', observed(4n, 'turn.terminal'), cursor(1n, 6n), ['turn.terminal', 'interaction.superseded']]);
  expect(codes(plan)).toEqual([]);
});

test('appendCheckpoint() keeps the kind of an end that weighs less than what joins it', () => {
  const late = candidate('interaction.superseded', { cursor: cursor(1n, 6n), trigger: observed(6n, 'interaction.superseded') });
  expect([candidate('compaction.completed'), late].reduce(appendCheckpoint, createPlan()).checkpoints.at(-1)?.kind).toBe('compaction.completed');
});

test('appendCheckpoint() moves the boundary of an end with its cursor, so that the plan stays valid', () => {
  const end = candidate('turn.canceled', { cursor: cursor(2n, 4n), trigger: boundary(2n) });
  const late = candidate('interaction.resolved', { cursor: cursor(4n, 4n), trigger: boundary(4n) });
  const plan = [end, late].reduce(appendCheckpoint, createPlan());
  expect(plan.checkpoints.at(-1)?.trigger).toEqual(boundary(4n));
  expect(codes(plan)).toEqual([]);
});

test('appendCheckpoint() folds nothing into what is no end', () => {
  const late = candidate('interaction.resolved', { cursor: cursor(4n, 4n), trigger: boundary(4n) });
  expect([candidate('turn.working'), late].reduce(appendCheckpoint, createPlan()).checkpoints).toHaveLength(3);
});

test('appendCheckpoint() names a connection that is new in every earlier cursor', () => {
  const other = { connectionId: 'a0', chunkSeq: 1n, unitIndex: 1n };
  const later = candidate('turn.terminal', { cursor: { activityEventSequence: 1n, providerConnections: [other, ...cursor(1n, 9n).providerConnections] }, trigger: observed(9n, 'turn.terminal') });
  const plan = [candidate('turn.working'), later].reduce(appendCheckpoint, createPlan());
  const start = (connectionId: string) => ({ connectionId, chunkSeq: 0n, unitIndex: 0n });
  expect(plan.checkpoints.map(({ cursor }) => cursor.providerConnections)).toEqual([[start('a0'), start('c1')], [start('a0'), ...cursor(1n, 4n).providerConnections], later.cursor.providerConnections]);
  expect(codes(plan)).toEqual([]);
});

test('addConnections() orders by bytes and names nothing twice', () => {
  const plan = addConnections(addConnections(createPlan(['\u{1f600}']), ['\uff5e', '\uff5e', 'B']), ['a', 'B']);
  expect(plan.checkpoints[0]?.cursor.providerConnections.map(({ connectionId }) => connectionId)).toEqual(['B', 'a', '\uff5e', '\u{1f600}']);
});

test('createPlan() is a bootstrap without subjects and predicates', () => {
  expect(createPlan(['c1']).checkpoints).toEqual([{ id: 'checkpoint-0000', index: 0, kind: 'replay.bootstrap', tags: ['replay.bootstrap'], cursor: { activityEventSequence: 0n, providerConnections: [{ connectionId: 'c1', chunkSeq: 0n, unitIndex: 0n }] }, trigger: { source: 'bootstrap' }, subjects: [], predicates: [] }]);
});

test('createCheckpoint() folds the phases of turns and nothing else', () => {
  const made = candidate('turn.working', { subjects: [rootAddress], predicates: [{ type: 'turn.phase', subject: 0, equals: ' working ' }, { type: 'call.status', subject: 0, equals: 'pending' }] });
  expect(made.predicates.map(({ equals }) => equals)).toEqual(['running', 'pending']);
});
