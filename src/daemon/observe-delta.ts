/**
 * What a commit shows of a session graph, as observations: derived from its rows before and after, the same in a recording and
 * in its replay (cassette-contract 6.1, 6.2). What an adapter says of itself counts for nothing: only stored rows do.
 *
 * The order inside a unit is fixed, whatever the order of the rows: sessions that began, turns that began, messages (calls,
 * plans, compactions, attachments), requests that came, requests that were overtaken, turns that ended, sessions that ended.
 * The root comes before its children, these by id; turns by sequence, messages by version, interactions by request.
 */

import type { CommittedDelta, RowChange } from '../core/agent/delta.ts';
import type { InteractionView, MessageView, SessionView, TurnView } from '../core/agent/views.ts';
import { foldCallStatus } from '../core/checkpoint/fold.ts';
import { compareBytes } from '../core/json/go-text.ts';
import { isBlank, textAt } from '../core/json/read.ts';
import { createObservation, type ObservationEvent } from '../core/observation/batch.ts';
import { createCommittedFacts, interactionMutationId, type CommittedFacts, type CommittedMutation } from '../core/observation/committed.ts';
import { attachmentBlocks, observeMessage } from '../core/observation/message.ts';

type Seen = Omit<Partial<ObservationEvent>, 'eventIndex'> & { type: string };
type OfSession = { agentSessionId: string };

/** The observations of one commit, numbered from 1; rows of another root and its children show nothing (6.2). */
export function observeDelta(delta: CommittedDelta, rootSessionId: string): ObservationEvent[] {
  const { sessions, turns, messages, interactions } = sortDelta(delta, rootSessionId);
  const seen: Seen[] = [
    ...sessions.flatMap(begunSession),
    ...turns.flatMap(begunTurn),
    ...messages.flatMap(seenMessage),
    ...interactions.flatMap(requested),
    ...interactions.flatMap(superseded),
    ...turns.flatMap(endedTurn),
    ...sessions.flatMap(endedSession),
  ];
  return seen.map((event, i) => createObservation({ ...event, eventIndex: BigInt(i + 1) }));
}

/** What the commit did, for whoever confirms that what was observed is stored (6.5). */
export function committedFacts({ transactionId, sessions, turns, messages, interactions }: CommittedDelta): CommittedFacts {
  const mutation = (kind: CommittedMutation['kind'], { agentSessionId: sessionId }: OfSession, id: string): CommittedMutation => ({ kind, sessionId, id });
  return createCommittedFacts({
    transactionId,
    mutations: [
      ...sessions.map(({ after }) => mutation('session', after, after.agentSessionId)),
      ...turns.map(({ after }) => mutation('turn', after, after.turnId)),
      ...messages.map(({ after }) => mutation('message', after, after.messageId)),
      ...interactions.map(({ after }) => mutation('interaction', after, interactionMutationId(after))),
    ],
    sessions: sessions.map(({ after }) => ({ sessionId: after.agentSessionId, ...lineageOf(after) })),
    turns: turns.map(({ after }) => ({ sessionId: after.agentSessionId, turnId: after.turnId, phase: after.phase, outcome: after.outcome ?? '' })),
    messages: messages.map(({ after }) => ({ sessionId: after.agentSessionId, messageId: after.messageId, turnId: after.turnId ?? '', status: after.status, payload: after.payload })),
    interactions: interactions.map(({ after }) => ({ sessionId: after.agentSessionId, turnId: after.turnId, requestId: after.requestId, status: after.status })),
  });
}

function sortDelta(delta: CommittedDelta, rootId: string): Pick<CommittedDelta, 'sessions' | 'turns' | 'messages' | 'interactions'> {
  const strangers = new Set(delta.sessions.flatMap(({ after }) => (isOfRoot(after, rootId) ? [] : [after.agentSessionId])));
  const bySession = (a: OfSession, b: OfSession): number => Number(b.agentSessionId === rootId) - Number(a.agentSessionId === rootId) || compareBytes(a.agentSessionId, b.agentSessionId);
  const sort = <Row extends OfSession, Change extends RowChange<Row>>(changes: readonly Change[], compare: (a: Row, b: Row) => number): Change[] =>
    changes.filter(({ after }) => !strangers.has(after.agentSessionId)).sort((a, b) => bySession(a.after, b.after) || compare(a.after, b.after));
  return {
    sessions: sort<SessionView, RowChange<SessionView>>(delta.sessions, () => 0),
    turns: sort<TurnView, RowChange<TurnView>>(delta.turns, (a, b) => a.sequence - b.sequence),
    messages: sort<MessageView, CommittedDelta['messages'][number]>(delta.messages, (a, b) => a.version - b.version || compareBytes(a.messageId, b.messageId)),
    interactions: sort<InteractionView, RowChange<InteractionView>>(delta.interactions, (a, b) => compareBytes(a.requestId, b.requestId)),
  };
}

function isOfRoot({ agentSessionId, rootSessionId }: SessionView, rootId: string): boolean {
  return agentSessionId === rootId || rootSessionId === rootId;
}

function begunSession({ before, after }: RowChange<SessionView>): Seen[] {
  return before === null && after.kind === 'child' ? [{ type: 'session.started', agentSessionId: after.agentSessionId, ...lineageOf(after) }] : [];
}

// A child has no end of its own in the store: it has ended when nothing of it is active any more.
function endedSession({ before, after }: RowChange<SessionView>): Seen[] {
  const hasEnded = after.kind === 'child' && before !== null && before.activeTurnId !== null && after.activeTurnId === null;
  return hasEnded ? [{ type: 'session.completed', agentSessionId: after.agentSessionId, ...lineageOf(after) }] : [];
}

function lineageOf({ kind, rootSessionId, rootTurnId, parentSessionId, parentTurnId, parentToolCallId }: SessionView) {
  return { sessionKind: kind, rootAgentSessionId: rootSessionId, rootTurnId, parentAgentSessionId: parentSessionId, parentTurnId, parentToolCallId };
}

function begunTurn({ before, after }: RowChange<TurnView>): Seen[] {
  const hasBegun = after.phase === 'running' && (before === null || before.phase === 'submitted');
  return hasBegun ? [{ type: 'turn.started', ...ofTurn(after), turnPhase: after.phase }] : [];
}

// An interrupted turn has no type of its own (6.2): it is completed, and the outcome says how.
function endedTurn({ before, after }: RowChange<TurnView>): Seen[] {
  if (after.phase !== 'settled' || after.outcome === null || before?.phase === 'settled') return [];
  const type = after.outcome === 'interrupted' ? 'turn.completed' : `turn.${after.outcome}`;
  return [{ type, ...ofTurn(after), turnPhase: after.phase, turnOutcome: after.outcome }];
}

function seenMessage(change: RowChange<MessageView>): Seen[] {
  return change.after.kind === 'tool_call' ? seenCall(change) : seenContent(change);
}

/**
 * Only the two ends that a checkpoint can wait for: of a call that was declined or canceled the plan could only say `completed`
 * or `failed`, and the state, which keeps its own word, would never hold that (4.8).
 */
function seenCall({ before, after }: RowChange<MessageView>): Seen[] {
  const callId = textAt(after.payload, 'callId') ?? '';
  if (isBlank(callId) || after.turnId === null) return [];
  const was = before && callStatus(before);
  const is = callStatus(after);
  const type = was === is ? undefined : callTypes.get(is);
  if (type === undefined || (type === 'call.started' && was !== null)) return [];
  return [{ type, ...ofTurn(after), messageId: after.messageId, callId }];
}

function callStatus({ status, payload }: MessageView): string {
  const said = textAt(payload, 'status');
  return foldCallStatus(said === undefined || isBlank(said) ? status : said);
}

function seenContent({ before, after }: RowChange<MessageView>): Seen[] {
  const is = observeContent(after);
  const was = before && observeContent(before);
  return is && (was?.type !== is.type || factsOf(before) !== factsOf(after)) && isOver(is) ? [is] : [];
}

function observeContent({ agentSessionId, turnId, messageId, status, payload }: MessageView): ObservationEvent | null {
  return observeMessage({ eventId: messageId, eventIndex: 1n, agentSessionId, turnId: turnId ?? '', messageId, status, streamState: '', payload });
}

// What of a message makes it another observation; its text alone does not.
function factsOf(message: MessageView | null): string {
  if (!message) return '';
  const { status, payload } = message;
  return JSON.stringify([status, textAt(payload, 'noticeCommandStatus') ?? '', attachmentBlocks(payload).length]);
}

// The plan's checkpoint waits for a finished plan (4.8).
function isOver({ type, status }: ObservationEvent): boolean {
  return type !== 'plan.proposed' || isBlank(status) || status === 'completed';
}

function requested({ before, after }: RowChange<InteractionView>): Seen[] {
  return before === null && after.status === 'pending' ? [{ type: 'interaction.requested', ...ofInteraction(after) }] : [];
}

function superseded({ before, after }: RowChange<InteractionView>): Seen[] {
  return before?.status !== 'superseded' && after.status === 'superseded' ? [{ type: 'interaction.superseded', ...ofInteraction(after) }] : [];
}

const ofTurn = ({ agentSessionId, turnId }: { agentSessionId: string; turnId: string | null }) => ({ agentSessionId, turnId: turnId ?? '' });
const ofInteraction = (row: InteractionView) => ({ ...ofTurn(row), interactionId: row.requestId, interactionKind: row.kind });
const callTypes = new Map([
  ['running', 'call.started'],
  ['completed', 'call.completed'],
  ['failed', 'call.failed'],
]);
