import { expect, test } from 'vitest';
import { parseJson } from '../json/exact.ts';
import type { ObservationEvent } from './batch.ts';
import { describeObservation, eventFingerprint } from './describe.ts';
import { buildEvent, placeAt, seenAt } from './fixtures/observations.ts';
import { observeMessage } from './message.ts';

const ids = { callId: 'call-a', interactionId: 'request-a', messageId: 'message-a', attachmentCount: 2, noticeCommand: 'compact', noticeCommandStatus: 'running', sessionKind: 'child' };
const check = (event: ObservationEvent, described: string | null) => {
  const found = describeObservation(event);
  expect(found && `${found.kind} ${found.subject} ${found.predicate}=${found.equals}`).toBe(described);
};

test.each<[string, Partial<ObservationEvent>, string]>([
  ['session.started', {}, 'child-session.running session child-session.status=running'],
  ['session.updated', {}, 'child-session.running session child-session.status=running'],
  ['session.completed', {}, 'child-session.completed session child-session.status=completed'],
  ['session.failed', {}, 'child-session.completed session child-session.status=completed'],
  ['session.started', { sessionKind: '', parentAgentSessionId: 'session-p' }, 'child-session.running session child-session.status=running'],
  ['turn.started', {}, 'turn.working turn turn.phase=running'],
  ['turn.updated', { turnPhase: 'waiting_approval' }, 'turn.working turn turn.phase=waiting'],
  ['root_provider_turn.started', {}, 'turn.working turn turn.phase=running'],
  ['turn.completed', {}, 'turn.terminal turn turn.status=completed'],
  ['turn.completed', { status: 'interrupted' }, 'turn.terminal turn turn.status=interrupted'],
  ['turn.completed', { status: 'idle', turnOutcome: 'failed' }, 'turn.terminal turn turn.status=failed'],
  ['root_provider_turn.completed', { turnOutcome: 'interrupted' }, 'turn.terminal turn turn.status=interrupted'],
  ['turn.failed', { turnOutcome: 'completed' }, 'turn.terminal turn turn.status=failed'],
  ['turn.canceled', { status: 'idle' }, 'turn.canceled turn turn.status=canceled'],
  ['call.started', {}, 'tool.started tool-call call.status=running'],
  ['call.completed', {}, 'tool.completed tool-call call.status=completed'],
  ['call.failed', {}, 'tool.completed tool-call call.status=failed'],
  ['interaction.requested', {}, 'interaction.pending interaction interaction.status=pending'],
  ['interaction.superseded', {}, 'interaction.superseded interaction interaction.status=superseded'],
  ['plan.proposed', {}, 'plan.waiting turn plan.status=completed'],
  ['compaction.updated', {}, 'compaction.running turn compaction.status=running'],
  ['compaction.updated', { noticeCommandStatus: 'completed' }, 'compaction.completed turn compaction.status=completed'],
  ['compaction.updated', { noticeCommandStatus: 'canceled' }, 'compaction.canceled turn compaction.status=canceled'],
  ['compaction.updated', { noticeCommandStatus: 'failed' }, 'compaction.completed turn compaction.status=failed'],
  ['attachment.materialized', {}, 'attachment.materialized attachment attachment.materialized=true'],
])('describeObservation() gives %s %j its checkpoint', (type, change, described) => check(buildEvent(type, { ...ids, ...change }), described));

test.each<[string, Partial<ObservationEvent>]>([
  ['message.updated', {}],
  ['toString', {}],
  ['session.started', { sessionKind: 'root' }],
  ['session.completed', { sessionKind: '' }],
  ['turn.started', { turnId: ' ' }],
  ['call.started', { callId: '' }],
  ['call.completed', { turnId: '' }],
  ['interaction.requested', { interactionId: '' }],
  ['plan.proposed', { turnId: '' }],
  ['compaction.updated', { noticeCommand: 'review' }],
  ['compaction.updated', { noticeCommandStatus: 'queued' }],
  ['compaction.updated', { noticeCommandStatus: 'constructor' }],
  ['attachment.materialized', { attachmentCount: 0 }],
  ['attachment.materialized', { messageId: '' }],
])('describeObservation() gives %s %j nothing', (type, change) => check(buildEvent(type, { ...ids, ...change }), null));

const checkPhase = (turnPhase: string, equals: string) => expect(describeObservation(buildEvent('turn.updated', { turnPhase }))?.equals).toBe(equals);

test.each([
  ['', 'running'],
  ['working', 'running'],
  ['streaming', 'running'],
  ['waiting_approval', 'waiting'],
  ['awaiting_approval', 'waiting'],
  ['waiting_input', 'waiting'],
  ['idle', 'settled'],
  [' submitted ', 'submitted'],
  ['settling', 'settling'],
  ['settled', 'settled'],
])('describeObservation() folds the turn phase "%s" to "%s"', checkPhase);

test('eventFingerprint() keeps the phase as it was observed, and no id', () => {
  const turn = seenAt('turn', placeAt(9n));
  expect(eventFingerprint(buildEvent('turn.started', { turnPhase: 'working' }), turn)).toBe('sha256:216201b7f7d571bd9bb169a90c96b7e4574047c45d77e32daa36bde973b65415');
  expect(eventFingerprint(buildEvent('turn.started', { turnPhase: 'working', turnId: 'turn-b', agentSessionId: 'session-b' }), turn)).toBe('sha256:216201b7f7d571bd9bb169a90c96b7e4574047c45d77e32daa36bde973b65415');
});

const message = { eventId: 'event-a', eventIndex: 1n, agentSessionId: 'session-a', turnId: 'turn-a', messageId: 'message-a', status: 'completed', streamState: 'streaming' };
const checkMessage = (payload: string, observed: string | null) => {
  const found = observeMessage({ ...message, payload: parseJson(payload) ?? null });
  expect(found && `${found.type} ${found.attachmentCount}`).toBe(observed);
};

test.each<[string, string | null]>([
  ['{}', null],
  ['{"content":[{"type":"text"}]}', null],
  ['{"content":[{"attachmentId":" "}]}', null],
  ['{"messageKind":"plan"}', 'plan.proposed 0'],
  ['{"messageKind":"plan","content":[{"attachmentId":"x"}]}', 'plan.proposed 1'],
  ['{"messageKind":"plan","noticeCommand":"compact"}', 'compaction.updated 0'],
  ['{"noticeCommand":"review"}', null],
  ['{"content":[{"attachmentId":"x"},{"type":"text"},{"attachmentId":"y"}]}', 'attachment.materialized 2'],
])('observeMessage() maps %s to %s', checkMessage);

test('observeMessage() falls back to the stream state and to the id of the event', () => {
  const found = observeMessage({ ...message, messageId: '', status: '', payload: { messageKind: 'plan' } });
  expect([found?.messageId, found?.status]).toEqual(['event-a', 'streaming']);
});
