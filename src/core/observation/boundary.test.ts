import { expect, test } from 'vitest';
import type { ActivityEvent } from '../activity/event.ts';
import { appendCheckpoint, createPlan } from '../checkpoint/build.ts';
import { checkPlan } from '../checkpoint/check-plan.ts';
import { planJson, type CheckpointCandidate } from '../checkpoint/plan.ts';
import { Findings } from '../issue.ts';
import { buildChild, buildInteraction, buildSession, buildState } from '../state/fixtures/states.ts';
import { BoundaryRecorder } from './boundary.ts';
import { createCommittedFacts } from './committed.ts';
import { buildBatch, buildEffect, buildEvent, buildIntent, buildStimulus, placeAt, recordingId, seenAt, unitAt } from './fixtures/observations.ts';
import { RecordingLanes } from './lanes.ts';
import { ObservationRecorder } from './record.ts';
import { EntityRegistry } from './registry.ts';
import { seedRegistry } from './seed.ts';

const turn = seenAt('turn', placeAt(2n));
const request = seenAt('interaction', placeAt(3n));
/** A recording whose root has a turn and a request. */
const createRecording = () => {
  const registry = new EntityRegistry();
  const lanes = new RecordingLanes(recordingId);
  registry.bindRoot('session-a');
  registry.bind({ kind: 'turn', sessionId: 'session-a', turnId: 'turn-a' }, turn);
  registry.bind({ kind: 'interaction', sessionId: 'session-a', turnId: 'turn-a', interactionKind: 'approval', requestId: 'request-a' }, request);
  return { registry, lanes, boundaries: new BoundaryRecorder({ registry, lanes }) };
};
const told = ({ kind, cursor, predicates, trigger }: CheckpointCandidate) =>
  `${kind} @${cursor.activityEventSequence} ${predicates.map(({ type, equals }) => `${type}=${equals}`).join(' ')} ${trigger.source === 'activity-boundary' ? trigger.boundaryKind : trigger.source}`;
const activation = buildIntent(1, 'activation/requested');
const activated = buildEffect(2, 'session/activate', { cause: 1 });
const check = (batches: ActivityEvent[][], boundaries: string[][]) => {
  const { boundaries: recorder } = createRecording();
  expect(batches.map((batch) => recorder.accept(batch).map(told))).toEqual(boundaries);
};

const pair = (intent: string, effect: string, payload = {}): ActivityEvent[] => [buildIntent(1, intent), buildEffect(2, effect, { cause: 1, ...payload })];
const ids = { turnId: 'turn-a', requestId: 'request-a' };

test.each<[string, ActivityEvent[], string[]]>([
  ['an activation', [activation, activated], ['session.ready @2 session.exists=true intent-effects']],
  ['an activation in a project', pair('activation/requested', 'session/activate', { railPlacement: { kind: 'project' } }), ['session.ready @2 session.exists=true intent-effects', 'project.binding-ready @2 project.binding=recorded intent-effects']],
  ['a failed activation', pair('activation/requested', 'session/activate', { outcome: 'failed' }), []],
  ['a goal that is set', pair('goal/controlRequested', 'goal/control', { action: 'set' }), ['goal.running @2 goal.status=running intent-effects']],
  ['a goal that is resumed', pair('goal/controlRequested', 'goal/control', { action: 'resume' }), ['goal.running @2 goal.status=running intent-effects']],
  ['a goal that is paused', pair('goal/controlRequested', 'goal/control', { action: 'pause' }), ['goal.paused @2 goal.status=paused intent-effects']],
  ['a goal that is cleared', pair('goal/controlRequested', 'goal/control', { action: 'clear' }), ['goal.cleared @2 goal.status=cleared intent-effects']],
  ['a goal with an unknown action', pair('goal/controlRequested', 'goal/control', { action: 'toString' }), []],
  ['a response', pair('interaction/responseRequested', 'interaction/respond', ids), ['interaction.resolved @2 interaction.status=answered intent-effects']],
  ['a direct response', [buildStimulus(1, 'interactive.response', ids)], ['interaction.resolved @1 interaction.status=answered single-event']],
  ['a cancel', pair('session/cancelRequested', 'turn/cancel', ids), ['turn.canceled @2 turn.status=canceled intent-effects']],
  ['a direct cancel', [buildStimulus(1, 'turn.cancel', ids)], ['turn.canceled @1 turn.status=canceled single-event']],
  ['settings', pair('session/settingsUpdateRequested', 'session/updateSettings'), ['settings.applied @2 settings.equal=recorded intent-effects']],
  ['direct settings', [buildStimulus(1, 'session.settings.update')], ['settings.applied @1 settings.equal=recorded single-event']],
  ['a direct send', [buildStimulus(1, 'session.send')], ['submission.accepted @1 session.status=working single-event']],
  ['a plan decision', pair('plan/decisionRequested', 'plan/submitDecision'), ['plan.confirmed @2 session.status=working intent-effects']],
  ['a direct plan decision', [buildStimulus(1, 'plan.decision')], ['plan.confirmed @1 session.status=working single-event']],
  ['feedback to a plan', pair('plan/feedbackRequested', 'queue/sendPrompt'), ['plan.feedback-submitted @2 session.status=working intent-effects']],
  ['feedback, whatever came of it', pair('plan/feedbackRequested', 'queue/sendPrompt', { outcome: 'timedOut' }), ['plan.feedback-submitted @2 session.status=working intent-effects']],
  ['what makes no checkpoint', [buildIntent(1, 'queue/removed')], []],
  ['something without an address', pair('session/cancelRequested', 'turn/cancel', { turnId: 'turn-b' }), []],
  ['another session that has no address', [{ ...buildStimulus(1, 'session.send'), agentSessionId: 'session-c' }], []],
  ['nothing', [], []],
])('BoundaryRecorder describes %s', (_title, batch, described) => check([batch], [described]));

const stop = buildIntent(3, 'session/stopRequested');
const submit = buildIntent(3, 'submit/requested', { submitDiagnostics: { queued: true } });
const accepted = (sequence: number) => `submission.accepted @${sequence} session.status=working intent-effects`;

test.each<[string, ActivityEvent[][], string[][]]>([
  ['waits for the effect of an intent that came alone', [[activation], [activated]], [[], ['session.ready @2 session.exists=true intent-effects']]],
  ['holds a queued submission until it is sent, and both form one boundary', [[submit], [buildEffect(4, 'queue/sendPrompt', { cause: 3 })]], [[], [accepted(4)]]],
  ['lets a submission wait for its prompt when it cancels a turn first', [[submit, buildEffect(4, 'turn/cancel', { cause: 3, turnId: 'turn-a' })], [buildEffect(5, 'queue/sendPrompt', { cause: 3 })]], [[], [accepted(5)]]],
  ['cuts nothing while an earlier stop waits, whatever else completes', [[stop], [buildStimulus(4, 'session.send')], [buildIntent(5, 'activation/requested'), buildEffect(6, 'session/activate', { cause: 5 })], [buildEffect(7, 'turn/cancel', { cause: 3, turnId: 'turn-a' })]], [[], [], [], ['turn.canceled @7 turn.status=canceled intent-effects']]],
  ['remembers feedback of an earlier batch', [[buildIntent(1, 'plan/feedbackRequested')], [buildEffect(2, 'queue/sendPrompt', { cause: 1 })]], [[], ['plan.feedback-submitted @2 session.status=working intent-effects']]],
  ['does not wait for an intent that never has an effect', [[buildIntent(1, 'queue/removed')], [buildStimulus(2, 'session.send')]], [[], ['submission.accepted @2 session.status=working single-event']]],
  ['drops a batch that is not above the last boundary', [[buildStimulus(4, 'session.send')], [buildStimulus(4, 'session.send')], [buildStimulus(3, 'session.send')]], [['submission.accepted @4 session.status=working single-event'], [], []]],
])('BoundaryRecorder %s', (_title, batches, boundaries) => check(batches, boundaries));

test('BoundaryRecorder waits for every command that has begun', () => {
  const { boundaries } = createRecording();
  boundaries.accept([submit]);
  boundaries.beginEffect('event-3');
  boundaries.beginEffect('event-3');
  expect(boundaries.accept([buildEffect(4, 'session/activate', { cause: 3 })])).toEqual([]);
  expect(boundaries.accept([buildEffect(5, 'queue/sendPrompt', { cause: 3 })]).map(told)).toEqual([accepted(5)]);
});

test('BoundaryRecorder covers what was handled beyond the observations, and leaves earlier checkpoints where they were', () => {
  const { registry, lanes, boundaries } = createRecording();
  const observations = new ObservationRecorder({ registry, lanes });
  const working = observations.recordCommit({ recordingId, batches: [buildBatch(2n, [buildEvent('turn.started')])] }, createCommittedFacts({ transactionId: 'tx-1' }), 1n);
  if ('refusal' in working) throw new Error(working.reason);
  for (const unit of [unitAt(2n), unitAt(7n), unitAt(4n, { connectionId: 'connection-2' }), unitAt(99n, { recordingId: 'recording-0' })]) lanes.handle(unit);
  const canceled = boundaries.accept(pair('session/cancelRequested', 'turn/cancel', ids));
  const { checkpoints } = [...working.candidates, ...canceled].reduce(appendCheckpoint, createPlan());
  expect(checkpoints.map(({ kind, cursor }) => [kind, ...cursor.providerConnections.map(({ connectionId, chunkSeq }) => `${connectionId}:${chunkSeq}`)])).toEqual([
    ['replay.bootstrap', 'connection-1:0', 'connection-2:0'],
    ['turn.working', 'connection-1:2', 'connection-2:0'],
    ['turn.canceled', 'connection-1:7', 'connection-2:4'],
  ]);
});

test('BoundaryRecorder and ObservationRecorder together never take a cursor back', () => {
  const { registry, lanes, boundaries } = createRecording();
  const observations = new ObservationRecorder({ registry, lanes });
  lanes.handle(unitAt(4n, { connectionId: 'connection-2' }));
  const events = [...pair('activation/requested', 'session/activate'), ...[3, 4].map((n) => buildStimulus(n, 'session.send'))];
  const cut = boundaries.accept(events.slice(0, 2));
  const seen = observations.recordCommit({ recordingId, batches: [buildBatch(5n, [buildEvent('turn.started')])] }, createCommittedFacts({ transactionId: 'tx-1' }), boundaries.accepted);
  if ('refusal' in seen) throw new Error(seen.reason);
  const later = events.slice(2).flatMap((event) => boundaries.accept([event]));
  const plan = [...cut, ...seen.candidates, ...later].reduce(appendCheckpoint, createPlan());
  const findings = new Findings();
  checkPlan(planJson(plan), { connectionIds: ['connection-1', 'connection-2'], events: events.map((event) => ({ ...event, sequence: BigInt(event.sequence) })) }, findings.report);
  expect([plan.checkpoints.length, findings.all]).toEqual([5, []]);
});

/** A stimulus while unit 5 is received, answered and not yet handled. */
const deferred = () => {
  const recording = createRecording();
  recording.lanes.receive(unitAt(5n));
  recording.lanes.answer('connection-1');
  recording.lanes.receive(unitAt(6n));
  recording.lanes.handle(unitAt(4n));
  expect(recording.boundaries.accept([buildStimulus(1, 'session.send')])).toEqual([]);
  return recording;
};

test('BoundaryRecorder cuts only when what came before the latest answer is handled, with the sequence of that moment', () => {
  const { lanes, boundaries } = deferred();
  expect(boundaries.flush()).toEqual([]);
  expect(boundaries.accept([buildStimulus(2, 'session.create')])).toEqual([]);
  lanes.handle(unitAt(5n));
  expect(boundaries.flush()).toMatchObject([{ kind: 'submission.accepted', cursor: { activityEventSequence: 2n, providerConnections: [{ chunkSeq: 5n }] }, trigger: { afterActivityEventSequence: 2n } }]);
  expect(boundaries.flush()).toEqual([]);
});

test('BoundaryRecorder drops a boundary that an intent has overtaken', () => {
  const { lanes, boundaries } = deferred();
  boundaries.accept([buildIntent(2, 'queue/removed')]);
  lanes.handle(unitAt(5n));
  expect(boundaries.flush()).toEqual([]);
});

const goal = (observed: string, change = {}) => ({ isTombstoned: false, observed, sync: 'synced', ...change });
const activatedWithGoal = pair('activation/requested', 'session/activate', { initialGoalControl: { action: 'set' } });
const checkGoal = (stage: string, state: ReturnType<typeof goal>, boundary: string[]) => {
  const { boundaries } = createRecording();
  boundaries.accept(activatedWithGoal);
  expect(boundaries.commitGoal({ sessionId: 'session-a', stage, goal: state }).map(told)).toEqual(boundary);
};

test.each<[string, ReturnType<typeof goal>, string[]]>([
  ['reconciled', goal('complete'), ['goal.completed @2 goal.status=completed single-event']],
  ['completed', goal('active'), ['goal.running @2 goal.status=running single-event']],
  ['terminal', goal('paused'), ['goal.paused @2 goal.status=paused single-event']],
  ['reconciled', goal('active', { isTombstoned: true }), ['goal.cleared @2 goal.status=cleared single-event']],
  ['applied', goal('complete'), []],
  ['reconciled', goal('blocked'), []],
  ['reconciled', goal('', { sync: 'pending' }), []],
])('BoundaryRecorder maps a goal commit %s %j', checkGoal);

test('BoundaryRecorder keeps the activation as the origin of a goal', () => {
  const { boundaries } = createRecording();
  boundaries.accept(activatedWithGoal);
  boundaries.accept([buildIntent(3, 'goal/controlRequested'), buildEffect(4, 'goal/control', { cause: 3, action: 'pause' })]);
  expect(boundaries.commitGoal({ sessionId: 'session-a', stage: 'reconciled', goal: goal('complete') })[0]?.subjects).toMatchObject([{ kind: 'goal', origin: { activityEventSequence: 2n } }]);
});

test.each<[string, ActivityEvent[], string | null]>([
  ['an activation without a goal', pair('activation/requested', 'session/activate', { initialGoalControl: {} }), null],
  ['a failed activation', pair('activation/requested', 'session/activate', { outcome: 'failed', initialGoalControl: { action: 'set' } }), null],
  ['an activation with a goal', activatedWithGoal, '2'],
  ['goal control', pair('goal/controlRequested', 'goal/control', { action: 'set' }), '2'],
])('BoundaryRecorder introduces a goal by %s: %s', (_title, batch, sequence) => {
  const { registry, boundaries } = createRecording();
  boundaries.accept(batch);
  const origin = registry.lookup({ kind: 'goal', sessionId: 'session-a' })?.origin;
  expect(origin?.source === 'activity-event' ? String(origin.activityEventSequence) : null).toBe(sequence);
});

test('BoundaryRecorder holds a goal back while its control is pending, and then lets it speak', () => {
  const { boundaries } = createRecording();
  boundaries.accept(activatedWithGoal);
  boundaries.accept([buildIntent(3, 'goal/controlRequested')]);
  expect(boundaries.commitGoal({ sessionId: '', stage: 'reconciled', goal: goal('complete') })).toEqual([]);
  expect(boundaries.accept([buildEffect(4, 'goal/control', { cause: 3, action: 'resume' })]).map(told)).toEqual(['goal.completed @4 goal.status=completed intent-effects']);
});

test('BoundaryRecorder does not cut a goal before the unit that changed it is handled', () => {
  const { lanes, boundaries } = createRecording();
  boundaries.accept(activatedWithGoal);
  expect(boundaries.commitGoal({ sessionId: 'session-a', stage: 'reconciled', goal: goal('complete'), during: unitAt(8n) })).toEqual([]);
  lanes.handle(unitAt(8n));
  expect(boundaries.flush()).toMatchObject([{ kind: 'goal.completed', cursor: { providerConnections: [{ chunkSeq: 8n }] } }]);
});

test('BoundaryRecorder names what was there before a continued session by its path', () => {
  const { lanes } = createRecording();
  const registry = new EntityRegistry();
  seedRegistry(registry, buildState([buildSession(), buildChild({ interactions: [buildInteraction()] })]));
  const boundaries = new BoundaryRecorder({ registry, lanes });
  const inChild = (event: ActivityEvent): ActivityEvent => ({ ...event, agentSessionId: 'session-b' });
  const cut = [buildStimulus(1, 'interactive.response', ids), buildStimulus(2, 'session.send')].flatMap((event) => boundaries.accept([inChild(event)]));
  expect(cut.flatMap(({ subjects }) => subjects.map(({ origin }) => origin))).toEqual([
    { source: 'initial-state', initialStatePath: '/agent/sessions/1/interactions/0' },
    { source: 'initial-state', initialStatePath: '/agent/sessions/1' },
  ]);
});
