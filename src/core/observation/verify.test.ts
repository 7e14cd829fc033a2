import { expect, test } from 'vitest';
import { rootAddress } from '../checkpoint/address.ts';
import { appendCheckpoint, createCheckpoint, createPlan } from '../checkpoint/build.ts';
import type { CheckpointCandidate, CheckpointPlan } from '../checkpoint/plan.ts';
import type { ReadinessView } from '../checkpoint/readiness.ts';
import type { ObservationBatch, ObservationEvent } from './batch.ts';
import { eventFingerprint } from './describe.ts';
import { buildBatch, buildEvent, placeAt, seenAt, unitAt } from './fixtures/observations.ts';
import { raiseLane } from './lanes.ts';
import { EntityRegistry } from './registry.ts';
import { CheckpointVerifier, isPositionPassed, isPositionReached } from './verify.ts';

const turn = seenAt('turn', placeAt(9n));
const started = buildEvent('turn.started', { turnPhase: 'working' });
const absent: ReadinessView = {
  session: () => undefined,
  turn: () => undefined,
  call: () => undefined,
  interaction: () => undefined,
  goal: () => undefined,
  attachment: () => undefined,
  areSettingsRecorded: () => false,
  isProjectRecorded: () => false,
};
const running: ReadinessView = { ...absent, turn: () => ({ phase: 'running', outcome: '', messages: [] }) };
const candidate = (change: Partial<CheckpointCandidate> = {}) =>
  createCheckpoint({
    kind: 'turn.working',
    cursor: { activityEventSequence: 1n, providerConnections: [{ connectionId: 'connection-1', chunkSeq: 9n, unitIndex: 1n }] },
    trigger: { source: 'provider-observation', position: placeAt(9n), unitKind: 'protocol-message', type: 'turn.started', fingerprint: eventFingerprint(started, turn) },
    subjects: [turn],
    predicates: [{ type: 'turn.phase', subject: 0, equals: 'working' }],
    ...change,
  });
const planOf = (change: Partial<CheckpointCandidate> = {}): CheckpointPlan => appendCheckpoint(createPlan(), candidate(change));
const createVerifier = (plan = planOf()) => new CheckpointVerifier({ plan, registry: new EntityRegistry() });
const statusOf = (verifier: CheckpointVerifier, view = running, index = 1) => {
  const found = verifier.statusOf(index, view);
  return found.status === 'failed' ? found.divergence.code : found.status;
};
const live = (event: ObservationEvent = started, change: Partial<ObservationBatch> = {}) => buildBatch(9n, [event], change);
const check = (steps: (ObservationBatch | bigint)[], status: string) => {
  const verifier = createVerifier();
  for (const step of steps) if (typeof step === 'bigint') verifier.handle(unitAt(step));
    else verifier.observe(step);
  expect(statusOf(verifier)).toBe(status);
};

test.each<[string, (ObservationBatch | bigint)[], string]>([
  ['nothing has come', [], 'not-yet'],
  ['another unit has come', [buildBatch(8n, [buildEvent('turn.updated')]), 8n], 'not-yet'],
  ['the observation has come', [live()], 'reached'],
  ['it has come in another session and turn', [live({ ...started, agentSessionId: 'session-x', turnId: 'turn-x' })], 'reached'],
  ['it has come and the lane is beyond', [live(), 9n, 12n], 'reached'],
  ['its batch has come with a second commit', [live(), live(buildEvent('message.updated', { eventIndex: 3n }))], 'reached'],
  ['another unit kind has come', [live(started, { unitKind: 'process-exit' })], 'checkpoint_trigger_mismatch'],
  ['another type has come', [live({ ...started, type: 'turn.updated' })], 'checkpoint_trigger_mismatch'],
  ['an unknown type has come', [live({ ...started, type: 'message.updated' })], 'checkpoint_trigger_mismatch'],
  ['another fingerprint has come', [live({ ...started, turnPhase: 'submitted' })], 'checkpoint_trigger_mismatch'],
  ['its unit has come without it', [live({ ...started, eventIndex: 2n })], 'checkpoint_trigger_missing'],
  ['its unit has come empty', [buildBatch(9n, [])], 'checkpoint_trigger_missing'],
  ['it has come without its turn', [live({ ...started, turnId: '' })], 'checkpoint_trigger_missing'],
  ['the lane is before its unit', [8n], 'not-yet'],
  ['the lane is exactly at its unit', [9n], 'reached'],
  ['the lane went on from its unit', [9n, 10n], 'reached'],
  ['the lane is beyond its unit', [10n], 'checkpoint_trigger_out_of_order'],
  ['it comes after the lane was beyond', [10n, live()], 'checkpoint_trigger_out_of_order'],
])('CheckpointVerifier judges a provider trigger when %s', (_title, steps, status) => check(steps, status));

test('CheckpointVerifier is neither matched nor reached before the handled lane closes a trigger without its observation', () => {
  const verifier = createVerifier();
  verifier.handle(unitAt(8n));
  const before = statusOf(verifier);
  verifier.handle(unitAt(9n));
  expect([before, statusOf(verifier)]).toEqual(['not-yet', 'reached']);
});

test('CheckpointVerifier says once which checkpoint went wrong, where and by what', () => {
  const verifier = createVerifier();
  const found = verifier.observe(live({ ...started, type: 'turn.updated' }));
  expect(found).toMatchObject([
    {
      layer: 'state',
      code: 'checkpoint_trigger_mismatch',
      checkpoint: { id: 'checkpoint-0001', name: 'turn.working' },
      position: { connectionId: 'connection-1', chunkSeq: 9, unitIndex: 1 },
      path: '$.trigger.type',
      recorded: 'turn.started',
      live: 'turn.updated',
    },
  ]);
  expect(verifier.observe(live())).toEqual([]);
  expect(createVerifier().handle(unitAt(10n))).toMatchObject([{ code: 'checkpoint_trigger_out_of_order', checkpoint: { id: 'checkpoint-0001' } }]);
});

test('CheckpointVerifier needs no session for a bootstrap', () => expect(statusOf(createVerifier(), absent, 0)).toBe('reached'));

test('CheckpointVerifier asks the state of a matched checkpoint, and says what it lacks', () => {
  const verifier = createVerifier();
  verifier.observe(live());
  expect(verifier.statusOf(1, { ...absent, turn: () => ({ phase: 'submitted', outcome: '', messages: [] }) })).toEqual({ status: 'not-ready', awaited: { predicate: 'turn.phase', needed: 'running', actual: 'submitted' } });
  expect(statusOf(verifier, absent)).toBe('not-ready');
});

const boundary = { source: 'activity-boundary', afterActivityEventSequence: 1n, boundaryKind: 'single-event' } as const;
const checkBoundary = (change: Partial<CheckpointCandidate>, view: ReadinessView, status: string) => expect(statusOf(createVerifier(planOf({ trigger: boundary, ...change })), view)).toBe(status);

test.each<[string, Partial<CheckpointCandidate>, ReadinessView, string]>([
  ['takes an activity boundary for matched', {}, running, 'reached'],
  ['waits for a root session that is not there', { subjects: [rootAddress], predicates: [{ type: 'session.exists', subject: 0, equals: 'true' }] }, absent, 'not-ready'],
  ['fails a predicate that can never be asked', { subjects: [rootAddress], predicates: [{ type: 'session.exists', subject: 0, equals: 'false' }] }, running, 'checkpoint_plan_invalid'],
  ['fails a turn of the activity lane, which nothing binds', { subjects: [{ kind: 'turn', origin: { source: 'activity-event', activityEventSequence: 1n } }] }, absent, 'checkpoint_identity_unresolved'],
])('CheckpointVerifier %s', (_title, change, view, status) => checkBoundary(change, view, status));

test('CheckpointVerifier binds a turn whose end comes first to its recorded birth, and accepts its fingerprint', () => {
  const ended = buildEvent('turn.completed', { turnOutcome: 'completed' });
  const born = seenAt('turn', placeAt(4n));
  const plan = planOf({ kind: 'turn.terminal', trigger: { source: 'provider-observation', position: placeAt(9n), unitKind: 'protocol-message', type: ended.type, fingerprint: eventFingerprint(ended, born) }, subjects: [born], predicates: [] });
  const registry = new EntityRegistry();
  const verifier = new CheckpointVerifier({ plan, registry });
  verifier.observe(live(ended));
  expect([statusOf(verifier), registry.refOf(born)]).toEqual(['reached', { kind: 'turn', sessionId: 'session-a', turnId: 'turn-a' }]);
});

const checkPosition = (chunkSeq: bigint, found: [boolean, boolean]) => {
  const handled = raiseLane(new Map(), unitAt(chunkSeq));
  expect([isPositionReached(handled, placeAt(9n)), isPositionPassed(handled, placeAt(9n))]).toEqual(found);
};

test.each<[bigint, [boolean, boolean]]>([
  [8n, [false, false]],
  [9n, [true, false]],
  [10n, [true, true]],
])('isPositionReached() and isPositionPassed() at chunk %d of 9', checkPosition);

test('isPositionReached() takes a connection that has not begun for before everything', () => {
  expect(isPositionReached(raiseLane(new Map(), unitAt(99n, { connectionId: 'connection-2' })), placeAt(9n))).toBe(false);
});
