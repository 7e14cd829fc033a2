import { expect, test } from 'vitest';
import { appendCheckpoint, createPlan } from '../checkpoint/build.ts';
import { isFingerprint } from '../checkpoint/fingerprint.ts';
import { mergeJournalEntry } from '../journal/merge.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { ObservationBatch } from './batch.ts';
import { createCommittedFacts } from './committed.ts';
import { buildBatch, buildEvent, placeAt, recordingId, seenAt } from './fixtures/observations.ts';
import { RecordingLanes } from './lanes.ts';
import { ObservationRecorder, type RecordedCommit } from './record.ts';
import { EntityRegistry } from './registry.ts';

const createRecorder = () => new ObservationRecorder({ registry: new EntityRegistry(), lanes: new RecordingLanes(recordingId) });
const running = (transactionId: string) =>
  createCommittedFacts({ transactionId, turns: [{ sessionId: 'session-a', turnId: 'turn-a', phase: 'running', outcome: '' }], mutations: [{ kind: 'turn', sessionId: 'session-a', id: 'turn-a' }] });
const nothing = createCommittedFacts({ transactionId: 'tx-0' });
const started = buildEvent('turn.started', { turnPhase: 'working' });
const record = (recorder: ObservationRecorder, batches: ObservationBatch[], { facts = nothing, accepted = 2n } = {}) => {
  const recorded = recorder.recordCommit({ recordingId, batches }, facts, accepted);
  if ('refusal' in recorded) throw new Error(recorded.reason);
  return recorded;
};

test('ObservationRecorder mirrors the observation in its correlation', () => {
  const { entries } = record(createRecorder(), [buildBatch(9n, [started])]);
  const [entry] = entries as [JournalEntry];
  const [observation] = entry.observations;
  const address = seenAt('turn', placeAt(9n));
  expect(observation).toMatchObject({ position: placeAt(9n), type: 'turn.started', address });
  expect(isFingerprint(observation?.fingerprint ?? '')).toBe(true);
  expect(entry.commitCorrelations).toMatchObject([
    { kind: 'turn', address, observationPosition: placeAt(9n), observationFingerprint: observation?.fingerprint, expected: 'working', confirmed: false, transactionId: '' },
  ]);
});

test('ObservationRecorder expects the outcome of an ended turn rather than its idle status', () => {
  const { entries } = record(createRecorder(), [buildBatch(9n, [buildEvent('turn.completed', { status: 'idle', turnOutcome: 'failed', turnPhase: 'idle' })])]);
  expect(entries[0]?.commitCorrelations[0]?.expected).toBe('failed');
});

test('ObservationRecorder keeps the first commit of a batch that comes with several, and makes its checkpoint once', () => {
  const recorder = createRecorder();
  const batch = buildBatch(9n, [started]);
  const commits = ['tx-1', 'tx-2'].map((id) => record(recorder, [batch], { facts: running(id) }));
  expect(commits.map(({ entries }) => entries[0]?.commitCorrelations[0]?.transactionId)).toEqual(['tx-1', 'tx-1']);
  expect(commits.map(({ candidates }) => candidates.length)).toEqual([1, 0]);
});

test('ObservationRecorder confirms later what its first commit did not, without a conflict in the journal', () => {
  const recorder = createRecorder();
  const [first, second] = [nothing, running('tx-5')].map((facts) => record(recorder, [buildBatch(9n, [started])], { facts }).entries[0]) as [JournalEntry, JournalEntry];
  expect(first.commitCorrelations[0]?.confirmed).toBe(false);
  expect(mergeJournalEntry(first, second)).toMatchObject({ entry: { commitCorrelations: [{ confirmed: true, transactionId: 'tx-5' }] } });
});

test('ObservationRecorder gives one entry and one checkpoint to what it gets while the transport is still being armed', () => {
  const { entries, candidates } = record(createRecorder(), [buildBatch(1n, [started])], { accepted: 0n });
  expect([entries.length, candidates.length, candidates[0]?.cursor.activityEventSequence]).toEqual([1, 1, 1n]);
});

test('ObservationRecorder gives a unit without observations an entry, and no place in a cursor', () => {
  const recorder = createRecorder();
  const quiet = record(recorder, [buildBatch(3n, [buildEvent('message.updated')], { connectionId: 'connection-2' })]);
  expect(quiet).toMatchObject({ entries: [{ observations: [], commitCorrelations: [] }], candidates: [] });
  expect(record(recorder, [buildBatch(9n, [started])]).candidates[0]?.cursor.providerConnections).toEqual([{ connectionId: 'connection-1', chunkSeq: 9n, unitIndex: 1n }]);
});

test('ObservationRecorder makes one checkpoint with a predicate for each attachment', () => {
  const { candidates } = record(createRecorder(), [buildBatch(5n, [buildEvent('attachment.materialized', { messageId: 'm', attachmentCount: 2 })])]);
  expect(candidates).toMatchObject([
    { kind: 'attachment.materialized', subjects: [{ discriminator: '1' }, { discriminator: '2' }], predicates: [{ subject: 0, equals: 'true' }, { subject: 1, equals: 'true' }] },
  ]);
});

test('ObservationRecorder makes candidates of one unit that merge into one checkpoint', () => {
  const ended = buildEvent('turn.completed', { eventIndex: 2n, turnOutcome: 'completed' });
  const { candidates } = record(createRecorder(), [buildBatch(9n, [buildEvent('call.completed', { callId: 'c' }), ended])]);
  const { checkpoints } = candidates.reduce(appendCheckpoint, createPlan());
  expect(checkpoints.map(({ kind, tags }) => [kind, ...tags])).toEqual([['replay.bootstrap', 'replay.bootstrap'], ['turn.terminal', 'tool.completed', 'turn.terminal']]);
});

const checkForeign = (contextId: string, batchIds: readonly string[], outcome: string) => {
  const recorded = createRecorder().recordCommit({ recordingId: contextId, batches: batchIds.map((id, i) => buildBatch(BigInt(i + 1), [started], { recordingId: id })) }, nothing, 1n);
  expect('refusal' in recorded ? recorded.refusal : `${(recorded satisfies RecordedCommit).entries.length} entries`).toBe(outcome);
};

test.each<[string, string, string[], string]>([
  ['ignores a commit of an earlier recording', 'recording-0', ['recording-0'], '0 entries'],
  ['passes over a commit without observations', '', [], '0 entries'],
  ['refuses observations that name no recording', '', [''], 'generation_missing'],
  ['refuses two generations in one commit', recordingId, [recordingId, 'recording-0'], 'generation_mixed'],
])('ObservationRecorder %s', (_title, contextId, batchIds, outcome) => checkForeign(contextId, batchIds, outcome));
