import { expect, test } from 'vitest';
import type { EntityAddress } from '../checkpoint/address.ts';
import { appendCheckpoint, createCheckpoint, createPlan } from '../checkpoint/build.ts';
import { checkPlan, type PlanFacts } from '../checkpoint/check-plan.ts';
import { planJson } from '../checkpoint/plan.ts';
import { Findings } from '../issue.ts';
import { parseJson, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { anchorUnits, checkAnchors } from './anchors.ts';
import { createJournalCheck } from './check-journal.ts';
import { createCorrelation } from './correlation.ts';
import { entryJson, writeJournalEntry, type CommitCorrelation, type JournalEntry, type JournalObservation } from './entry.ts';
import { mergeJournalEntry } from './merge.ts';

const fingerprint = `sha256:${'a'.repeat(64)}`;
const other = `sha256:${'b'.repeat(64)}`;
const unit = (chunkSeq: bigint) => ({ connectionId: 'c1', chunkSeq, unitIndex: 1n });
const place = (chunkSeq: bigint, eventIndex = 1n) => ({ ...unit(chunkSeq), eventIndex });
const turn = (chunkSeq: bigint): EntityAddress => ({ kind: 'turn', origin: { source: 'provider-observation', providerObservation: place(chunkSeq) } });
const observation = (chunkSeq: bigint, eventIndex = 1n): JournalObservation => ({ position: place(chunkSeq, eventIndex), type: 'turn.completed', fingerprint, address: turn(4n) });
const confirmed = (chunkSeq: bigint): CommitCorrelation => ({ ...createCorrelation(observation(chunkSeq), { status: 'idle', turnPhase: '', turnOutcome: 'completed' }), confirmed: true, transactionId: 'tx-5' });
const entry = (chunkSeq: bigint, parts: Partial<JournalEntry> = {}): JournalEntry => ({ position: unit(chunkSeq), unitKind: 'protocol-message', observations: [observation(chunkSeq)], commitCorrelations: [confirmed(chunkSeq)], ...parts });

const asRead = (value: JournalEntry) => parseJson(writeJournalEntry(value)) as JsonObject;
type Edit = (line: JsonObject) => void;
const set = (path: string, value: Json): Edit => (line) => {
  const steps = path.split('.');
  const last = steps.pop() as string;
  setMember(steps.reduce<Json>((at, step) => (at as JsonObject)[step] as Json, line) as JsonObject, last, value);
};

const found = (lines: readonly Json[]) => {
  const findings = new Findings();
  const check = createJournalCheck(findings.report);
  lines.forEach((line, i) => check.entry(line, i + 1));
  return { facts: check.end(), list: findings.all.map(({ code, file, line, path }) => `${code} ${line} ${path}${file === '.recording/observation-journal.jsonl' ? '' : file}`) };
};
const check = (edit: Edit, expected: string[]) => {
  const line = asRead(entry(9n));
  edit(line);
  expect(found([asRead(entry(4n)), line, asRead(entry(11n))]).list).toEqual(expected);
};
const at = (path: string) => [`journal_invalid 2 ${path}`];

test.each<[string, Edit, string[]]>([
  ['as written', () => {}, []],
  ['no observation and no correlation', (line) => void Object.assign(line, { observations: null, commitCorrelations: null }), []],
  ['a correlation that says little', (line) => void Object.assign((line.commitCorrelations as JsonObject[])[0]!, { id: '', kind: null, expected: ' ', confirmed: null, transactionId: null }), []],
  ['unknown members', set('more', 1), []],
  ['schema version 1', set('schemaVersion', 1), at('$.schemaVersion')],
  ['no schema version', set('schemaVersion', null), at('$.schemaVersion')],
  ['a schema version beyond its type, which the shape check refuses', set('schemaVersion', parseJson('9223372036854775808') as Json), []],
  ['no position', set('position', null), at('$.position')],
  ['a blank connection', set('position.connectionId', ' '), at('$.position.connectionId')],
  ['chunk 0', set('position.chunkSeq', 0), at('$.position.chunkSeq')],
  ['unit 0', set('position.unitIndex', null), at('$.position.unitIndex')],
  ['an unknown unit kind', set('unitKind', 'line'), at('$.unitKind')],
  ['another unit than its observations', set('position.chunkSeq', 10), at('$.position')],
  ['null for an observation', set('observations', [null]), at('$.observations[0]')],
  ['an observation without a position', set('observations.0.position', null), at('$.observations[0].position')],
  ['an observation without an event index', set('observations.0.position.eventIndex', 0), at('$.observations[0].position.eventIndex')],
  ['an observation of another unit', set('observations.0.position.chunkSeq', 8), at('$.observations[0].position')],
  ['an observation without a type', set('observations.0.type', ' '), at('$.observations[0].type')],
  ['a malformed fingerprint', set('observations.0.fingerprint', 'sha256:'), at('$.observations[0].fingerprint')],
  ['a broken address', set('observations.0.address.kind', 'x'), at('$.observations[0].address.kind')],
  ['null for a correlation', set('commitCorrelations', [null]), at('$.commitCorrelations[0]')],
  ['a correlation of another unit', set('commitCorrelations.0.observationPosition.unitIndex', 2), at('$.commitCorrelations[0].observationPosition')],
  ['a correlation without a position', set('commitCorrelations.0.observationPosition', null), at('$.commitCorrelations[0].observationPosition')],
  ['a correlation with a malformed fingerprint', set('commitCorrelations.0.observationFingerprint', null), at('$.commitCorrelations[0].observationFingerprint')],
  ['a correlation without an address', set('commitCorrelations.0.address', null), at('$.commitCorrelations[0].address')],
  ['a repeated observation', (line) => void (line.observations as Json[]).push((line.observations as Json[])[0] as Json), ['journal_position_repeated 2 $.observations[1].position']],
  ['a repeated correlation', (line) => void (line.commitCorrelations as Json[]).push((line.commitCorrelations as Json[])[0] as Json), []],
  ['a correlation written anew', (line) => void (line.commitCorrelations as JsonObject[]).push({ ...(line.commitCorrelations as JsonObject[])[0], expected: 'failed' }), ['journal_conflict 2 $.commitCorrelations[1].expected']],
  ['a position that was there', (line) => void Object.assign(line, asRead(entry(4n))), ['journal_position_repeated 2 $.position']],
])('the journal check with %s', (_title, edit, expected) => check(edit, expected));

test('the journal check leaves wrong types to the shape check', () => {
  for (const path of ['schemaVersion', 'position', 'position.chunkSeq', 'unitKind', 'observations', 'observations.0', 'observations.0.position', 'observations.0.type', 'observations.0.address', 'commitCorrelations.0', 'commitCorrelations.0.confirmed', 'commitCorrelations.0.id']) check(set(path, path.endsWith('confirmed') ? 'yes' : true), []);
  expect([found(['x']).list, found([[]]).list, found([null]).list]).toEqual([[], [], ['journal_invalid 1 $.schemaVersion']]);
});

test('writeJournalEntry() writes members in the order of the format, and what was written is read', () => {
  const plain = entry(9n, { commitCorrelations: [{ ...confirmed(9n), confirmed: false, transactionId: '' }] });
  expect(writeJournalEntry(entry(9n)).endsWith('"confirmed":true,"transactionId":"tx-5"}]}\n')).toBe(true);
  expect(writeJournalEntry(plain).endsWith('"confirmed":false}]}\n')).toBe(true);
  expect(Object.keys(entryJson(plain))).toEqual(['schemaVersion', 'position', 'unitKind', 'observations', 'commitCorrelations']);
  expect(found([asRead(plain)]).facts.entryAt(unit(9n))).toEqual(plain);
});

const checkMerge = (addition: JournalEntry, expected: string | JournalEntry) => {
  const merged = mergeJournalEntry(entry(9n), addition);
  expect('conflict' in merged ? merged.conflict.path : merged.entry).toEqual(expected);
};
const changedObservation = (parts: Partial<JournalObservation>) => entry(9n, { observations: [{ ...observation(9n), ...parts }] });
const changedCorrelation = (parts: Partial<CommitCorrelation>) => entry(9n, { commitCorrelations: [{ ...confirmed(9n), ...parts }] });

test.each<[string, JournalEntry, string | JournalEntry]>([
  ['itself', entry(9n), entry(9n)],
  ['nothing', entry(9n, { observations: [], commitCorrelations: [] }), entry(9n)],
  ['another unit', entry(8n), '$.position'],
  ['another unit kind', entry(9n, { unitKind: 'process-exit' }), '$.unitKind'],
  ['another observation of the unit', entry(9n, { observations: [observation(9n, 2n)] }), entry(9n, { observations: [observation(9n), observation(9n, 2n)] })],
  ['another type', changedObservation({ type: 'turn.failed' }), '$.observations[0].type'],
  ['another fingerprint', changedObservation({ fingerprint: other }), '$.observations[0].fingerprint'],
  ['another address', changedObservation({ address: turn(5n) }), '$.observations[0].address'],
  ['another kind of correlation', changedCorrelation({ kind: 'call' }), '$.commitCorrelations[0].kind'],
  ['another expectation', changedCorrelation({ expected: 'failed' }), '$.commitCorrelations[0].expected'],
  ['another position in a correlation', changedCorrelation({ observationPosition: place(9n, 2n) }), '$.commitCorrelations[0].observationPosition'],
  ['another fingerprint in a correlation', changedCorrelation({ observationFingerprint: other }), '$.commitCorrelations[0].observationFingerprint'],
  ['another address in a correlation', changedCorrelation({ address: turn(5n) }), '$.commitCorrelations[0].address'],
  ['another transaction', changedCorrelation({ transactionId: 'tx-6' }), '$.commitCorrelations[0].transactionId'],
  ['a correlation that is not confirmed any more', changedCorrelation({ confirmed: false, transactionId: '' }), entry(9n)],
  ['another correlation', changedCorrelation({ id: 'other' }), entry(9n, { commitCorrelations: [confirmed(9n), { ...confirmed(9n), id: 'other' }] })],
])('mergeJournalEntry() with %s', (_title, addition, expected) => checkMerge(addition, expected));

test('mergeJournalEntry() confirms once, and the first transaction stays', () => {
  const waiting = changedCorrelation({ confirmed: false, transactionId: '' });
  expect(mergeJournalEntry(waiting, entry(9n))).toEqual({ entry: entry(9n) });
  expect(mergeJournalEntry(entry(9n), waiting)).toEqual({ entry: entry(9n) });
});

test('mergeJournalEntry() finds a conflict inside an addition too', () => {
  const twice = entry(9n, { observations: [observation(9n, 2n), { ...observation(9n, 2n), type: 'x' }] });
  expect(mergeJournalEntry(entry(9n), twice)).toEqual({ conflict: expect.objectContaining({ path: '$.observations[1].type' }) });
});

const plan = (): PlanFacts => {
  const trigger = { source: 'provider-observation', position: place(9n), unitKind: 'protocol-message', type: 'turn.completed', fingerprint } as const;
  const end = createCheckpoint({ kind: 'turn.terminal', cursor: { activityEventSequence: 1n, providerConnections: [unit(9n)] }, trigger, subjects: [turn(4n)], predicates: [] });
  return checkPlan(planJson(appendCheckpoint(createPlan(), end)), { connectionIds: null, events: null }, () => {})!;
};
const checkAnchored = (lines: readonly JsonObject[], expected: string[], facts = plan()) => {
  const findings = new Findings();
  const journal = createJournalCheck(() => {}, anchorUnits(facts));
  lines.forEach((line, i) => journal.entry(line, i + 1));
  checkAnchors(facts, journal.end(), findings.report);
  expect(findings.all.map(({ code, file, path }) => `${code} ${file} ${path}`)).toEqual(expected);
};
const line = (edit: Edit = () => {}): JsonObject[] => {
  const made = asRead(entry(9n));
  edit(made);
  return [asRead(entry(4n)), made];
};
const planAt = (code: string, path: string) => [`${code} checkpoint-plan.json $.checkpoints[1]${path}`];
const unconfirmed = planAt('checkpoint_commit_unconfirmed', '.trigger');
const addressOf = (chunkSeq: number): Json => ({ kind: 'turn', origin: { source: 'provider-observation', providerObservation: { connectionId: 'c1', chunkSeq, unitIndex: 1, eventIndex: 1 } } });

test.each<[string, JsonObject[], string[]]>([
  ['the exact confirmed address', line(), []],
  ['no entry there', [asRead(entry(4n))], planAt('checkpoint_trigger_missing', '.trigger.position')],
  ['an entry without the observation', line(set('observations', [])), planAt('checkpoint_trigger_missing', '.trigger.position')],
  ['another event index', line(set('observations.0.position.eventIndex', 2)), planAt('checkpoint_trigger_missing', '.trigger.position')],
  ['another type', line(set('observations.0.type', 'turn.failed')), planAt('checkpoint_trigger_mismatch', '.trigger.type')],
  ['another fingerprint', line(set('observations.0.fingerprint', other)), planAt('checkpoint_trigger_mismatch', '.trigger.fingerprint')],
  ['another address', line(set('observations.0.address', addressOf(5))), planAt('checkpoint_trigger_mismatch', '.subjects')],
  ['no correlation', line(set('commitCorrelations', [])), unconfirmed],
  ['an unconfirmed correlation', line(set('commitCorrelations.0.confirmed', false)), unconfirmed],
  ['a correlation without a transaction', line(set('commitCorrelations.0.transactionId', ' ')), unconfirmed],
  ['a correlation without an id', line(set('commitCorrelations.0.id', '')), unconfirmed],
  ['a correlation without a kind', line(set('commitCorrelations.0.kind', null)), unconfirmed],
  ['a correlation that expects nothing', line(set('commitCorrelations.0.expected', '')), unconfirmed],
  ['a correlation with another address', line(set('commitCorrelations.0.address', addressOf(5))), unconfirmed],
  ['a correlation with another event index', line(set('commitCorrelations.0.observationPosition.eventIndex', 2)), unconfirmed],
  ['a correlation with another fingerprint', line(set('commitCorrelations.0.observationFingerprint', other)), unconfirmed],
  ['an entry that is broken', line(set('unitKind', 'x')), []],
  ['an entry that may be the one', line(set('position', null)), []],
  ['an unconfirmed observation that triggers nothing', [...line(), asRead(entry(11n, { commitCorrelations: [] }))], []],
])('checkAnchors() with %s', (_title, lines, expected) => checkAnchored(lines, expected));

test('checkAnchors() does not miss what an unreadable line may have held', () => {
  const findings = new Findings();
  const journal = createJournalCheck(findings.report);
  journal.unreadable();
  checkAnchors(plan(), journal.end(), findings.report);
  expect(findings.all).toEqual([]);
});

test('the journal check keeps only the entries that are asked for', () => {
  const journal = createJournalCheck(() => {}, [unit(4n)]);
  [4n, 9n].forEach((chunkSeq, i) => journal.entry(asRead(entry(chunkSeq)), i + 1));
  expect([journal.end().entryAt(unit(4n)), journal.end().entryAt(unit(9n))]).toEqual([entry(4n), null]);
});

test('createCorrelation() copies exactly what was observed', () => {
  const { address, observationPosition, observationFingerprint, confirmed: isConfirmed, transactionId } = createCorrelation(observation(9n), { status: '', turnPhase: '', turnOutcome: '' });
  expect({ address, observationPosition, observationFingerprint, isConfirmed, transactionId }).toEqual({ address: turn(4n), observationPosition: place(9n), observationFingerprint: fingerprint, isConfirmed: false, transactionId: '' });
});

test.each([
  ['turn.completed', 'idle', 'settled', 'completed', 'turn', 'completed'],
  ['turn.failed', 'failed', '', '', 'turn', 'failed'],
  ['root_provider_turn.completed', ' ', 'settled', '', 'turn', 'completed'],
  ['turn.started', '', 'working', 'x', 'turn', 'working'],
  ['root_provider_turn.started', '', '', 'x', 'turn', 'x'],
  ['session.started', '', '', '', 'session', 'session.started'],
  ['interaction.requested', 'pending', '', '', 'interaction', 'pending'],
  ['call.completed', 'completed', '', '', 'call', 'completed'],
  ['plan.proposed', 'completed', '', '', 'message', 'completed'],
  ['compaction.updated', 'running', '', '', 'message', 'running'],
  ['attachment.materialized', '', '', '', 'message', 'attachment.materialized'],
])('createCorrelation() of %s with %j, %j, %j', (type, status, turnPhase, turnOutcome, kind, expected) => {
  const made = createCorrelation({ ...observation(9n), type }, { status, turnPhase, turnOutcome });
  expect([made.kind, made.expected]).toEqual([kind, expected]);
  expect(made.id).toBe(`c1:9:1:1:${type}:{"kind":"turn","origin":{"source":"provider-observation","providerObservation":{"connectionId":"c1","chunkSeq":4,"unitIndex":1,"eventIndex":1}}}:${expected}`);
});
