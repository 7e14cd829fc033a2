import { expect, test } from 'vitest';
import { createCorrelation } from '../journal/correlation.ts';
import type { ObservationEvent } from './batch.ts';
import { createCommittedFacts, interactionMutationId, type CommittedFacts, type CommittedMessage, type CommittedMutation } from './committed.ts';
import { confirmCorrelation, isRootTurnState, isTurnState } from './confirm.ts';
import { eventFingerprint } from './describe.ts';
import { buildEvent, placeAt, seenAt } from './fixtures/observations.ts';

const turn = seenAt('turn', placeAt(9n));
const correlationOf = (event: ObservationEvent) => createCorrelation({ position: placeAt(9n), type: event.type, fingerprint: eventFingerprint(event, turn), address: turn }, event);
const confirmed = (event: ObservationEvent, facts: Partial<CommittedFacts>) => confirmCorrelation(correlationOf(event), { event, facts: createCommittedFacts({ transactionId: 'tx-1', ...facts }), rootId: 'session-a' });
const check = (event: ObservationEvent, facts: Partial<CommittedFacts>, isConfirmed: boolean) => expect([confirmed(event, facts).confirmed, confirmed(event, facts).transactionId]).toEqual(isConfirmed ? [true, 'tx-1'] : [false, '']);

const mutation = (kind: CommittedMutation['kind'], id: string, sessionId = 'session-a'): Pick<CommittedFacts, 'mutations'> => ({ mutations: [{ kind, id, sessionId }] });
const started = buildEvent('turn.started', { turnPhase: 'working' });
const ended = buildEvent('turn.completed', { turnPhase: 'idle', turnOutcome: 'completed', status: 'idle' });
const rootStarted = buildEvent('root_provider_turn.started', { turnPhase: 'working', rootTurnId: 'root-turn' });
const rootEnded = buildEvent('root_provider_turn.completed', { turnOutcome: 'failed', rootTurnId: 'root-turn' });
const turns = (phase: string, outcome = '', change = {}) => ({ turns: [{ sessionId: 'session-a', turnId: 'turn-a', phase, outcome, ...change }] });
const rootTurns = (phase: string, outcome = '') => ({ rootProviderTurns: [{ rootTurnId: 'root-turn', phase, outcome }] });
const result = (isAccepted: boolean, phase: string | null = null, rootTurnId = 'root-turn') => ({ rootTurnResults: [{ rootTurnId, isAccepted, state: phase === null ? null : { phase, outcome: '' } }] });

test.each<[string, ObservationEvent, Partial<CommittedFacts>, boolean]>([
  ['a turn in the stored words and its mutation', started, { ...turns('running'), ...mutation('turn', 'turn-a') }, true],
  ['an end whose phase is idle here and settled there', ended, { ...turns('settled', 'completed'), ...mutation('turn', 'turn-a') }, true],
  ['a turn of a blank session, which is the root', started, { ...turns('running', '', { sessionId: '' }), ...mutation('turn', 'turn-a', '') }, true],
  ['no mutation of the turn', started, turns('running'), false],
  ['a mutation of another turn', started, { ...turns('running'), ...mutation('turn', 'turn-b') }, false],
  ['a mutation of the equal turn of another session', started, { ...turns('running'), ...mutation('turn', 'turn-a', 'session-b') }, false],
  ['another phase', started, { ...turns('submitted'), ...mutation('turn', 'turn-a') }, false],
  ['another outcome', ended, { ...turns('settled', 'canceled'), ...mutation('turn', 'turn-a') }, false],
  ['another turn', started, { ...turns('running', '', { turnId: 'turn-b' }), ...mutation('turn', 'turn-a') }, false],
  ['an observation with neither phase nor outcome', buildEvent('turn.started'), { ...turns('running'), ...mutation('turn', 'turn-a') }, false],
  ['no transaction', started, { ...turns('running'), ...mutation('turn', 'turn-a'), transactionId: ' ' }, false],
  ['a provider turn and an accepted result', rootStarted, { ...rootTurns('running'), ...result(true) }, true],
  ['a provider turn and a result that was not accepted', rootStarted, { ...rootTurns('running'), ...result(false) }, false],
  ['a provider turn that ended as observed', rootEnded, { ...rootTurns('completed', 'failed'), ...result(true) }, true],
  ['a provider turn that did not end', rootEnded, { ...rootTurns('running', 'failed'), ...result(true) }, false],
  ['a provider turn that ended otherwise', rootEnded, { ...rootTurns('completed', 'completed'), ...result(true) }, false],
  ['a result that shows the state already, for a start', rootStarted, result(false, 'running'), true],
  ['a result that shows another state, for a start', rootStarted, result(false, 'settled'), false],
  ['a result that shows the state of another turn', rootStarted, result(false, 'running', 'other'), false],
  ['a result that shows the state already, for an end', buildEvent('root_provider_turn.completed', { turnPhase: 'working', rootTurnId: 'root-turn' }), result(false, 'running'), false],
])('confirmCorrelation() judges a turn by %s', (_title, event, facts, isConfirmed) => check(event, facts, isConfirmed));

const child = buildEvent('session.started', { agentSessionId: 'session-b', sessionKind: 'child', rootAgentSessionId: 'session-a', parentAgentSessionId: 'session-a', parentTurnId: 'turn-a', parentToolCallId: 'call-a', turnId: '' });
const stored = { sessionId: 'session-b', sessionKind: 'child', rootAgentSessionId: 'session-a', rootTurnId: '', parentAgentSessionId: 'session-a', parentTurnId: 'turn-a', parentToolCallId: 'call-a' };
const childMutation = mutation('session', 'session-b', 'session-b');

test.each<[string, Partial<CommittedFacts>, boolean]>([
  ['the child and its mutation', { sessions: [stored], ...childMutation }, true],
  ['no mutation', { sessions: [stored] }, false],
  ['another parent', { sessions: [{ ...stored, parentTurnId: 'turn-b' }], ...childMutation }, false],
  ['another session', { sessions: [{ ...stored, sessionId: 'session-c' }], ...childMutation }, false],
  ['no child', { sessions: [{ ...stored, sessionKind: 'root', parentAgentSessionId: '' }], ...childMutation }, false],
])('confirmCorrelation() judges a child session by %s', (_title, facts, isConfirmed) => check(child, facts, isConfirmed));

const asked = buildEvent('interaction.requested', { interactionId: 'request-a' });
const transition = (status: string, change = {}) => ({ interactions: [{ sessionId: 'session-a', turnId: 'turn-a', requestId: 'request-a', status, ...change }] });
const askedMutation = mutation('interaction', interactionMutationId({ turnId: 'turn-a', requestId: 'request-a' }));

test.each<[string, ObservationEvent, Partial<CommittedFacts>, boolean]>([
  ['a pending transition and its mutation', asked, { ...transition('pending'), ...askedMutation }, true],
  ['a superseded transition, for the end', { ...asked, type: 'interaction.superseded' }, { ...transition('superseded'), ...askedMutation }, true],
  ['a pending transition, for the end', { ...asked, type: 'interaction.superseded' }, { ...transition('pending'), ...askedMutation }, false],
  ['another turn', asked, { ...transition('pending', { turnId: 'turn-b' }), ...askedMutation }, false],
  ['the mutation of another request', asked, { ...transition('pending'), ...mutation('interaction', 'turn-a\0request-b') }, false],
])('confirmCorrelation() judges an interaction by %s', (_title, event, facts, isConfirmed) => check(event, facts, isConfirmed));

const row = (payload: CommittedMessage['payload'], change: Partial<CommittedMessage> = {}): Partial<CommittedFacts> => ({
  messages: [{ sessionId: 'session-a', messageId: 'message-a', turnId: 'turn-a', status: '', payload, ...change }],
  ...mutation('message', 'message-a'),
});
const call = (type: string, status = '') => buildEvent(type, { callId: 'call-a', status });
const plan = buildEvent('plan.proposed', { messageId: 'message-a', messageKind: 'plan' });
const notice = buildEvent('compaction.updated', { messageId: 'message-a', noticeCommand: 'compact', noticeCommandStatus: 'running', status: 'streaming' });
const attachment = buildEvent('attachment.materialized', { messageId: 'message-a', attachmentCount: 1 });

test.each<[string, ObservationEvent, Partial<CommittedFacts>, boolean]>([
  ['a call that has ended', call('call.completed'), row({ callId: 'call-a', status: 'completed' }), true],
  ['a call with its status on the message', call('call.failed'), row({ callId: 'call-a' }, { status: 'failed' }), true],
  ['a call that waits, observed as one that works', call('call.started', 'in_progress'), row({ callId: 'call-a', status: 'waiting_approval' }), true],
  ['a call that has begun', call('call.started'), row({ callId: 'call-a', status: 'running' }), true],
  ['another call', call('call.completed'), row({ callId: 'call-b', status: 'completed' }), false],
  ['a call with another status', call('call.completed'), row({ callId: 'call-a', status: 'failed' }), false],
  ['a call of another turn', call('call.completed'), row({ callId: 'call-a', status: 'completed' }, { turnId: 'turn-b' }), false],
  ['a message that was not written', plan, { ...row({ messageKind: 'plan' }), mutations: [] }, false],
  ['a plan without status, which is completed', plan, row({ messageKind: 'plan' }, { status: 'completed' }), true],
  ['a plan that is not finished', plan, row({ messageKind: 'plan' }, { status: 'streaming' }), false],
  ['no plan', plan, row({}), false],
  ['a notice with command and status', notice, row({ noticeCommand: 'compact', noticeCommandStatus: 'running' }, { status: 'streaming' }), true],
  ['a notice with another status', notice, row({ noticeCommand: 'compact', noticeCommandStatus: 'completed' }, { status: 'streaming' }), false],
  ['as many attachments', attachment, row({ content: [{ attachmentId: 'x' }, { type: 'text' }] }), true],
  ['fewer attachments', attachment, row({ content: [{ type: 'text' }] }), false],
])('confirmCorrelation() judges a message by %s', (_title, event, facts, isConfirmed) => check(event, facts, isConfirmed));

test('confirmCorrelation() keeps the first transaction that confirmed', () => {
  const facts = { ...turns('running'), ...mutation('turn', 'turn-a') };
  const first = confirmed(started, facts);
  expect(confirmCorrelation(first, { event: started, facts: createCommittedFacts({ transactionId: 'tx-2', ...facts }), rootId: 'session-a' })).toBe(first);
});

const checkTurn = (observed: [string, string], stored: [string, string], same: [boolean, boolean]) => {
  const event = { turnPhase: observed[0], turnOutcome: observed[1] };
  const state = { phase: stored[0], outcome: stored[1] };
  expect([isTurnState(event, state), isRootTurnState(event, state)]).toEqual(same);
};

test.each<[[string, string], [string, string], [boolean, boolean]]>([
  [['idle', 'completed'], ['settled', 'completed'], [true, false]],
  [['working', ''], ['running', ''], [true, true]],
  [['', 'completed'], ['completed', 'completed'], [true, true]],
  [['idle', 'failed'], ['settled', 'completed'], [false, false]],
  [['', ''], ['running', ''], [false, false]],
])('isTurnState() and isRootTurnState() compare %j with %j', checkTurn);
