import { expect, test } from 'vitest';
import { entityAddressKey, rootAddress, type EntityAddress } from '../checkpoint/address.ts';
import { appendCheckpoint, createCheckpoint, createPlan } from '../checkpoint/build.ts';
import type { CheckpointPlan } from '../checkpoint/plan.ts';
import type { ObservationPlace } from '../checkpoint/position.ts';
import type { ObservationEvent } from './batch.ts';
import { eventFingerprint } from './describe.ts';
import { buildEvent, placeAt, seenAt } from './fixtures/observations.ts';
import { introduceEntities } from './introduce.ts';
import { EntityRegistry } from './registry.ts';

/** Each event at its own chunk, in order. */
const introduceAll = (steps: readonly [bigint, ObservationEvent][], plan: CheckpointPlan | null = null, registry = new EntityRegistry()) =>
  steps.map(([chunkSeq, event]) => introduceEntities(event, { place: placeAt(chunkSeq, { eventIndex: event.eventIndex }), registry, plan }));
const check = (steps: [bigint, ObservationEvent][], addresses: EntityAddress[][]) => expect(introduceAll(steps)).toEqual(addresses);
const turnAt = (chunkSeq: bigint) => [seenAt('turn', placeAt(chunkSeq))];

test('introduceEntities() gives equal addresses to two runs with other ids, and none of the ids', () => {
  const runs = ['1', '2'].map((run) => introduceAll([[4n, buildEvent('call.started', { agentSessionId: `session-${run}`, turnId: `turn-${run}`, callId: `call-${run}` })]])[0]?.[0] as EntityAddress);
  expect(runs[0]).toEqual(runs[1]);
  expect(entityAddressKey(runs[0] as EntityAddress)).not.toMatch(/session-|turn-|call-1|call-2/);
});

test.each<[string, [bigint, ObservationEvent][], EntityAddress[][]]>([
  ['an update what was introduced', [[1n, buildEvent('turn.started')], [2n, buildEvent('turn.updated')], [5n, buildEvent('turn.completed')]], [turnAt(1n), turnAt(1n), turnAt(1n)]],
  ['a turn seen late its own position without a plan', [[5n, buildEvent('turn.completed')]], [turnAt(5n)]],
  ['a plan and a compaction the turn', [[1n, buildEvent('turn.started')], [2n, buildEvent('plan.proposed')], [3n, buildEvent('compaction.updated', { noticeCommand: 'compact', noticeCommandStatus: 'running' })]], [turnAt(1n), turnAt(1n), turnAt(1n)]],
  [
    'equal turns of two sessions an address each',
    [[1n, buildEvent('turn.started')], [2n, buildEvent('turn.started', { agentSessionId: 'session-b', sessionKind: 'child' })]],
    [turnAt(1n), turnAt(2n)],
  ],
  [
    'equal calls of two turns an address each',
    [[1n, buildEvent('call.started', { callId: 'c' })], [2n, buildEvent('call.started', { callId: 'c', turnId: 'turn-b' })], [3n, buildEvent('call.completed', { callId: 'c' })]],
    [[seenAt('tool-call', placeAt(1n))], [seenAt('tool-call', placeAt(2n))], [seenAt('tool-call', placeAt(1n))]],
  ],
  [
    'equal requests of two kinds an address each',
    [[1n, buildEvent('interaction.requested', { interactionId: 'r' })], [2n, buildEvent('interaction.requested', { interactionId: 'r', interactionKind: 'question' })], [3n, buildEvent('interaction.superseded', { interactionId: 'r', interactionKind: 'approval' })]],
    [[seenAt('interaction', placeAt(1n))], [seenAt('interaction', placeAt(2n))], [seenAt('interaction', placeAt(1n))]],
  ],
  [
    'the end of a request without its kind the request',
    [[1n, buildEvent('interaction.requested', { interactionId: 'r', interactionKind: 'question' })], [2n, buildEvent('interaction.superseded', { interactionId: 'r' })]],
    [[seenAt('interaction', placeAt(1n))], [seenAt('interaction', placeAt(1n))]],
  ],
  [
    'a child session its own address',
    [[1n, buildEvent('session.started', { agentSessionId: 'session-b', parentAgentSessionId: 'session-a' })], [2n, buildEvent('session.completed', { agentSessionId: 'session-b', sessionKind: 'child' })]],
    [[seenAt('session', placeAt(1n))], [seenAt('session', placeAt(1n))]],
  ],
  ['a second root nothing', [[1n, buildEvent('turn.started')], [2n, buildEvent('turn.started', { agentSessionId: 'session-b' })], [3n, buildEvent('turn.updated')]], [turnAt(1n), [], turnAt(1n)]],
  ['a blank session what the root has', [[1n, buildEvent('turn.started')], [2n, buildEvent('turn.updated', { agentSessionId: '' })]], [turnAt(1n), turnAt(1n)]],
  ['two attachments two addresses', [[5n, buildEvent('attachment.materialized', { messageId: 'm', attachmentCount: 2, eventIndex: 2n })]], [[1, 2].map((n) => seenAt('attachment', placeAt(5n, { eventIndex: 2n }), String(n)))]],
  [
    'an attachment that comes later only the new address',
    [[5n, buildEvent('attachment.materialized', { messageId: 'm', attachmentCount: 1 })], [7n, buildEvent('attachment.materialized', { messageId: 'm', attachmentCount: 2 })]],
    [[seenAt('attachment', placeAt(5n), '1')], [seenAt('attachment', placeAt(5n), '1'), seenAt('attachment', placeAt(7n), '2')]],
  ],
])('introduceEntities() gives %s', (_title, steps, addresses) => check(steps, addresses));

test.each(['turn.started', 'call.started', 'interaction.requested', 'plan.proposed', 'attachment.materialized'])('introduceEntities() gives %s nothing without its turn', (type) =>
  check([[1n, buildEvent(type, { turnId: '', callId: 'c', interactionId: 'r', messageId: 'm', attachmentCount: 1 })]], [[]]),
);

test('introduceEntities() binds the first session that nobody started as the root', () => {
  const registry = new EntityRegistry();
  introduceAll([[1n, buildEvent('message.updated', { agentSessionId: 'session-b', sessionKind: 'child' })]], null, registry);
  expect(registry.rootId).toBe('');
  introduceAll([[2n, buildEvent('message.updated')]], null, registry);
  expect([registry.rootId, registry.lookup({ kind: 'session', sessionId: 'session-a' })]).toEqual(['session-a', rootAddress]);
});

test('introduceEntities() gives the message of an attachment an address of its own', () => {
  const registry = new EntityRegistry();
  introduceAll([[5n, buildEvent('attachment.materialized', { messageId: 'm', attachmentCount: 1 })]], null, registry);
  expect(registry.lookup({ kind: 'message', sessionId: 'session-a', messageId: 'm' })).toEqual(seenAt('message', placeAt(5n), 'message'));
});

const planned = (steps: readonly { place: ObservationPlace; type: string; turn: EntityAddress; fingerprint?: string }[]) =>
  steps.reduce((plan, { place, type, turn, fingerprint = eventFingerprint(buildEvent(type), turn) }) => {
    const { connectionId, chunkSeq, unitIndex } = place;
    const cursor = { activityEventSequence: 1n, providerConnections: [{ connectionId, chunkSeq, unitIndex }] };
    return appendCheckpoint(plan, createCheckpoint({ kind: 'turn.working', cursor, trigger: { source: 'provider-observation', position: place, unitKind: 'protocol-message', type, fingerprint }, subjects: [turn], predicates: [] }));
  }, createPlan());
const born = seenAt('turn', placeAt(3n));
const checkBirth = (event: ObservationEvent, chunkSeq: bigint, plan: CheckpointPlan, turn: EntityAddress) => expect(introduceAll([[chunkSeq, event]], plan)).toEqual([[turn]]);

test.each<[string, ObservationEvent, bigint, CheckpointPlan, EntityAddress]>([
  ['the recorded birth where the plan is triggered by it', buildEvent('turn.completed'), 9n, planned([{ place: placeAt(9n), type: 'turn.completed', turn: born }]), born],
  ['the last start before it', buildEvent('turn.completed'), 9n, planned([{ place: placeAt(2n), type: 'turn.started', turn: seenAt('turn', placeAt(2n)) }, { place: placeAt(3n), type: 'root_provider_turn.started', turn: born }]), born],
  ['the last start, whatever else was triggered since', buildEvent('turn.updated'), 9n, planned([{ place: placeAt(3n), type: 'turn.started', turn: born }, { place: placeAt(5n), type: 'turn.updated', turn: born }]), born],
  ['its own position where the only start comes later', buildEvent('turn.updated'), 2n, planned([{ place: placeAt(3n), type: 'turn.started', turn: born }]), seenAt('turn', placeAt(2n))],
  ['its own position where the start is on another connection', buildEvent('turn.updated'), 9n, planned([{ place: placeAt(3n, { connectionId: 'connection-2' }), type: 'turn.started', turn: born }]), seenAt('turn', placeAt(9n))],
  ['its own position where it starts the turn', buildEvent('turn.started'), 9n, planned([{ place: placeAt(3n), type: 'turn.started', turn: born }]), seenAt('turn', placeAt(9n))],
])('introduceEntities() gives a turn that it sees late %s', (_title, event, chunkSeq, plan, turn) => checkBirth(event, chunkSeq, plan, turn));

test('introduceEntities() gives the end of a first turn the fingerprint of the recording', () => {
  const event = buildEvent('turn.completed', { turnOutcome: 'completed' });
  const plan = planned([{ place: placeAt(9n), type: event.type, turn: born, fingerprint: eventFingerprint(event, born) }]);
  const [[turn] = []] = introduceAll([[9n, event]], plan);
  expect(eventFingerprint(event, turn as EntityAddress)).toBe(eventFingerprint(event, born));
});

test('introduceEntities() does not give a recorded birth to a second turn', () => {
  const plan = planned([{ place: placeAt(3n), type: 'turn.started', turn: born }]);
  expect(introduceAll([[5n, buildEvent('turn.completed')], [9n, buildEvent('turn.completed', { turnId: 'turn-b' })]], plan)).toEqual([[born], turnAt(9n)]);
});
