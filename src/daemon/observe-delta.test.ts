import { expect, test } from 'vitest';
import type { CommittedDelta, RowChange } from '../core/agent/delta.ts';
import type { InteractionView, MessageView, SessionView, TurnView } from '../core/agent/views.ts';
import { placeAt, seenAt } from '../core/observation/fixtures/observations.ts';
import { confirmCorrelation } from '../core/observation/confirm.ts';
import { describeObservation, eventFingerprint } from '../core/observation/describe.ts';
import { createCorrelation } from '../core/journal/correlation.ts';
import { committedFacts, observeDelta } from './observe-delta.ts';

const root = 'session-a';
const buildSession = (change: Partial<SessionView> = {}): SessionView => ({
  agentSessionId: root, kind: 'root', rootSessionId: '', rootTurnId: '', parentSessionId: '', parentTurnId: '', parentToolCallId: '', origin: '', agentTargetId: 'local:desk', provider: 'desk', providerSessionId: 's', model: '', settings: {},
  cwd: '', railSectionKind: '', railProjectPath: '', railSectionKey: '', title: '', activeTurnId: null, isPinned: false, isVisible: true, messageVersion: 0, createdAtUnixMs: 1, updatedAtUnixMs: 1, ...change,
});
const child = (change: Partial<SessionView> = {}) => buildSession({ agentSessionId: 'kid', kind: 'child', rootSessionId: root, rootTurnId: 't-1', parentSessionId: root, parentTurnId: 't-1', parentToolCallId: 'c-1', ...change });
const buildTurn = (change: Partial<TurnView> = {}): TurnView => ({ agentSessionId: root, turnId: 't-1', sequence: 1, phase: 'submitted', outcome: null, error: null, origin: 'user_prompt', rootProviderTurnId: '', fileChanges: null, completedCommand: null, ...change });
const buildMessage = (change: Partial<MessageView> = {}): MessageView => ({ agentSessionId: root, messageId: 'm-1', version: 1, turnId: 't-1', role: 'assistant', kind: 'text', status: 'running', payload: {}, semantics: null, ...change });
const call = (said: string | null, status = 'running', change: Partial<MessageView> = {}) => buildMessage({ messageId: 'call:c-1', kind: 'tool_call', status, payload: { callId: 'c-1', ...(said === null ? {} : { status: said }) }, ...change });
const request = (status: InteractionView['status'], change: Partial<InteractionView> = {}): InteractionView => ({ agentSessionId: root, turnId: 't-1', requestId: 'r-1', kind: 'approval', status, toolName: '', input: {}, output: null, metadata: {}, ...change });
const fresh = <Row>(after: Row): RowChange<Row> => ({ before: null, after });
const change = <Row>(before: Row, after: Row): RowChange<Row> => ({ before, after });
const delta = (parts: Partial<CommittedDelta>): CommittedDelta => ({ transactionId: 'tx-1', revision: 1, unit: null, sessions: [], turns: [], messages: [], interactions: [], ...parts });

const turns = (before: Partial<TurnView> | null, after: Partial<TurnView>) => ({ turns: [{ before: before && buildTurn(before), after: buildTurn(after) }] });
const plan = (status: string) => buildMessage({ status, payload: { messageKind: 'plan' } });
const notice = (noticeCommandStatus: string) => buildMessage({ status: 'completed', payload: { noticeCommand: 'compact', noticeCommandStatus } });
const attached = (...ids: string[]) => buildMessage({ payload: { content: ids.map((attachmentId) => ({ type: 'image', attachmentId })) } });

/** `type kind=equals` of each observation; what was seen must be what was stored. */
const check = (parts: Partial<CommittedDelta>, seen: string[]) => {
  const commit = delta(parts);
  const events = observeDelta(commit, root);
  expect(events.map((event) => `${event.type} ${describeObservation(event)?.kind}=${describeObservation(event)?.equals}`)).toEqual(seen);
  expect(events.map(({ eventIndex }) => eventIndex)).toEqual(events.map((_, i) => BigInt(i + 1)));
  for (const event of events) {
    const address = seenAt('turn', placeAt(2n));
    const correlation = createCorrelation({ position: placeAt(2n), type: event.type, fingerprint: eventFingerprint(event, address), address }, event);
    expect([event.type, confirmCorrelation(correlation, { event, facts: committedFacts(commit), rootId: root }).confirmed]).toEqual([event.type, true]);
  }
};

test.each<[string, Partial<CommittedDelta>, string[]]>([
  ['nothing', {}, []],
  ['a turn that was submitted', turns(null, {}), []],
  ['a turn that began', turns({}, { phase: 'running' }), ['turn.started turn.working=running']],
  ['a turn that was born running', turns(null, { phase: 'running' }), ['turn.started turn.working=running']],
  ['a turn that runs on', turns({ phase: 'running' }, { phase: 'running', rootProviderTurnId: 'p' }), []],
  ['a turn that runs again after it waited', turns({ phase: 'waiting' }, { phase: 'running' }), []],
  ['a turn that completed', turns({ phase: 'running' }, { phase: 'settled', outcome: 'completed' }), ['turn.completed turn.terminal=completed']],
  ['a turn that failed', turns({ phase: 'running' }, { phase: 'settled', outcome: 'failed' }), ['turn.failed turn.terminal=failed']],
  ['a turn that failed before it began', turns({}, { phase: 'settled', outcome: 'failed' }), ['turn.failed turn.terminal=failed']],
  ['a turn that was canceled', turns({ phase: 'settling' }, { phase: 'settled', outcome: 'canceled' }), ['turn.canceled turn.canceled=canceled']],
  ['a turn that was interrupted', turns({ phase: 'running' }, { phase: 'settled', outcome: 'interrupted' }), ['turn.completed turn.terminal=interrupted']],
  ['a settled turn with new facts', turns({ phase: 'settled', outcome: 'completed' }, { phase: 'settled', outcome: 'completed', fileChanges: {} }), []],
  ['a call that began', { messages: [fresh(call('in_progress'))] }, ['call.started tool.started=running']],
  ['a call without a status of its own', { messages: [fresh(call(null))] }, ['call.started tool.started=running']],
  ['a call that goes on', { messages: [{ ...change(call('in_progress'), call('in_progress')), appended: 'x' }] }, []],
  ['a call that completed', { messages: [change(call('in_progress'), call('completed', 'completed'))] }, ['call.completed tool.completed=completed']],
  ['a call that failed', { messages: [change(call('in_progress'), call('failed', 'failed'))] }, ['call.failed tool.completed=failed']],
  ['a call that is seen only when it has ended', { messages: [fresh(call('completed', 'completed'))] }, ['call.completed tool.completed=completed']],
  ['a call that was declined, which no plan can wait for', { messages: [change(call('in_progress'), call('declined', 'failed'))] }, []],
  ['a call without a turn', { messages: [fresh(call('in_progress', 'running', { turnId: null }))] }, []],
  ['text', { messages: [fresh(buildMessage())] }, []],
  ['a plan that is being written', { messages: [fresh(plan('running'))] }, []],
  ['a plan that is finished', { messages: [change(plan('running'), plan('completed'))] }, ['plan.proposed plan.waiting=completed']],
  ['a plan that was finished before', { messages: [change(plan('completed'), plan('completed'))] }, []],
  ['a compaction', { messages: [change(notice('running'), notice('completed'))] }, ['compaction.updated compaction.completed=completed']],
  ['attachments', { messages: [change(attached(), attached('a', 'b'))] }, ['attachment.materialized attachment.materialized=true']],
  ['attachments that were there', { messages: [change(attached('a'), attached('a'))] }, []],
  ['a request', { interactions: [fresh(request('pending'))] }, ['interaction.requested interaction.pending=pending']],
  ['a request that was answered', { interactions: [change(request('pending'), request('answered'))] }, []],
  ['a request that was overtaken', { interactions: [change(request('pending'), request('superseded'))] }, ['interaction.superseded interaction.superseded=superseded']],
  ['a root session', { sessions: [fresh(buildSession())] }, []],
  ['a child that began', { sessions: [fresh(child({ activeTurnId: 't-2' }))] }, ['session.started child-session.running=running']],
  ['a child that ended', { sessions: [change(child({ activeTurnId: 't-2' }), child())] }, ['session.completed child-session.completed=completed']],
])('observeDelta() sees %s', (_title, parts, seen) => check(parts, seen));

test('observeDelta() keeps one order in a unit, whatever the order of the rows', () => {
  const second = buildTurn({ turnId: 't-0', sequence: 2, phase: 'running' });
  const parts = {
    sessions: [fresh(child())],
    turns: [change(buildTurn({ turnId: 't-0', sequence: 2 }), second), change(buildTurn({ phase: 'running' }), buildTurn({ phase: 'settled', outcome: 'completed' }))],
    messages: [fresh(call('in_progress', 'running', { version: 9, messageId: 'a' })), fresh(call('completed', 'completed', { version: 8, messageId: 'b' }))],
    interactions: [fresh(request('pending', { requestId: 'r-2' })), change(request('pending'), request('superseded'))],
  };
  const types = ['session.started', 'turn.started', 'call.completed', 'call.started', 'interaction.requested', 'interaction.superseded', 'turn.completed'];
  expect(observeDelta(delta(parts), root).map(({ type }) => type)).toEqual(types);
  expect(observeDelta(delta({ ...parts, turns: parts.turns.toReversed(), messages: parts.messages.toReversed(), interactions: parts.interactions.toReversed() }), root).map(({ type }) => type)).toEqual(types);
});

test('observeDelta() sees nothing of another root', () => {
  const stranger = { agentSessionId: 'session-b' };
  expect(observeDelta(delta({ sessions: [fresh(buildSession(stranger))], turns: [change(buildTurn(stranger), buildTurn({ ...stranger, phase: 'running' }))] }), root)).toEqual([]);
});
