/** Canonical rows of the daemon replace what the window holds (agent-host 4). */

import { raise } from '../../core/control/lanes.ts';
import type { RemovedRows } from '../../core/agent/delta.ts';
import type { InteractionView, MessageView, SessionGraphView, SessionView, TurnView } from '../../core/agent/views.ts';
import type { MessageAppend, WindowEvent } from '../../core/agent/wire.ts';
import { isSettled, isStored } from './queue.ts';
import { createSession, dropSession, forgetFailure, putSession, type EngineState, type SessionState } from './state.ts';

/** The stream begins, or begins again: rows that it does not hold are gone; what is on its way stays. */
export function applySnapshot(state: EngineState, event: Extract<WindowEvent, { type: 'snapshot' }>): EngineState {
  const fresh = new Map(event.sessions.map((graph) => [graph.session.agentSessionId, graph]));
  const kept = Object.values(state.sessions).filter(({ agentSessionId, graph, activation }) => !fresh.has(agentSessionId) && graph === null && activation !== null);
  const sessions = Object.fromEntries(kept.map((session) => [session.agentSessionId, session]));
  let next: EngineState = { ...state, sessions, revision: event.revision, lanes: event.lanes, connection: 'open' };
  for (const [id, graph] of fresh) next = settleSession(next, { ...(state.sessions[id] ?? createSession(id)), graph: keepOrder(graph, state.sessions[id]?.graph ?? null) });
  return { ...next, selectedId: selectionAfter(state, next) };
}

/** A window that opens shows the newest session of its list; later only a session that is gone loses its place. */
function selectionAfter(before: EngineState, { sessions, selectedId }: EngineState): string | null {
  if (selectedId !== null) return sessions[selectedId] ? selectedId : null;
  if (before.connection !== 'connecting') return null;
  const roots = Object.values(sessions).flatMap(({ graph }) => (graph?.session.kind === 'root' && graph.session.isVisible ? [graph.session] : []));
  return roots.toSorted((a, b) => b.createdAtUnixMs - a.createdAtUnixMs)[0]?.agentSessionId ?? null;
}

/** One commit, and the lanes behind it, also where no row changed (desktop-order b6). */
export function applyChange(state: EngineState, event: Extract<WindowEvent, { type: 'change' }>): EngineState {
  let next: EngineState = { ...state, revision: Math.max(state.revision, event.revision), lanes: event.lanes ? raise(state.lanes, event.lanes) : state.lanes };
  for (const id of touchedSessions(event)) {
    const session = next.sessions[id] ?? createSession(id);
    const graph = changeGraph(session.graph, event, id);
    if (graph) next = settleSession(next, { ...session, graph });
  }
  return event.removed ? withoutRows(next, event.removed) : next;
}

/** What never reached a provider was taken back; a start that is on its way keeps its prompt. */
function withoutRows(state: EngineState, { sessionIds, turnIds }: RemovedRows): EngineState {
  const gone = new Set(turnIds);
  return Object.values(state.sessions).reduce((next, session) => {
    const { agentSessionId, graph, activation } = session;
    if (sessionIds.includes(agentSessionId)) return activation ? putSession(next, { ...session, graph: null }) : dropSession(next, agentSessionId);
    if (!graph?.turns.some(({ turnId }) => gone.has(turnId))) return next;
    return putSession(next, { ...session, graph: { ...graph, turns: graph.turns.filter(({ turnId }) => !gone.has(turnId)) } });
  }, state);
}

/** Drops what canonical rows have overtaken. */
export function settleSession(state: EngineState, session: SessionState): EngineState {
  return [settleActivation, settleHead, settleSent].reduce((next, settle) => settle(next, next.sessions[session.agentSessionId] ?? session), putSession(state, session));
}

/** The start is over when it succeeded and the session is there; a prompt that it could not deliver waits for the person. */
function settleActivation(state: EngineState, session: SessionState): EngineState {
  const { activation, graph, queue } = session;
  if (!activation || !graph || activation.phase === 'requested') return state;
  const { prompt } = activation;
  const started = { ...session, activation: null };
  if (activation.phase === 'taken') return putSession(state, { ...started, sent: prompt });
  if (prompt && !isStored(session, prompt)) return putSession(state, { ...started, queue: [prompt, ...queue] });
  return putSession(forgetFailure(state, activation.commandId), started);
}

/** Its command failed, and yet the daemon has it: nothing is left to send. */
function settleHead(state: EngineState, session: SessionState): EngineState {
  const [head, ...queue] = session.queue;
  return head?.failure && isStored(session, head) ? putSession(forgetFailure(state, head.commandId), { ...session, queue }) : state;
}

function settleSent(state: EngineState, session: SessionState): EngineState {
  const { sent, awaitedTurnId } = session;
  const isOver = sent && (isStored(session, sent) || (awaitedTurnId !== null && isSettled(session, awaitedTurnId)));
  return isOver ? putSession(state, { ...session, sent: null }) : state;
}

/** A snapshot comes in the order of the last change; a transcript keeps the order in which it grew. */
function keepOrder(graph: SessionGraphView, known: SessionGraphView | null): SessionGraphView {
  if (!known) return graph;
  const places = new Map(known.messages.map(({ messageId }, index) => [messageId, index]));
  const placeOf = ({ messageId }: MessageView) => places.get(messageId) ?? known.messages.length;
  return { ...graph, messages: graph.messages.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}

function touchedSessions(event: Extract<WindowEvent, { type: 'change' }>): Set<string> {
  return new Set([...event.sessions, ...event.turns, ...event.messages, ...event.appends, ...event.interactions].map(({ agentSessionId }) => agentSessionId));
}

function changeGraph(graph: SessionGraphView | null, event: Extract<WindowEvent, { type: 'change' }>, id: string): SessionGraphView | null {
  const session = event.sessions.find(({ agentSessionId }) => agentSessionId === id);
  const known = graph ?? (session ? { session, turns: [], messages: [], interactions: [] } : null);
  // Rows of a session whose own row never came: it is not shown here.
  if (!known) return null;
  const isOf = ({ agentSessionId }: { agentSessionId: string }) => agentSessionId === id;
  return {
    session: newer(known.session, session),
    turns: upsert(known.turns, event.turns.filter(isOf), (turn) => turn.turnId).toSorted((a: TurnView, b: TurnView) => a.sequence - b.sequence),
    messages: append(upsert(known.messages, event.messages.filter(isOf), (message) => message.messageId, isNewer), event.appends.filter(isOf)),
    interactions: upsert(known.interactions, event.interactions.filter(isOf), interactionKey),
  };
}

function newer(known: SessionView, row: SessionView | undefined): SessionView {
  return row && row.updatedAtUnixMs >= known.updatedAtUnixMs ? row : known;
}

function upsert<Row>(rows: Row[], changed: readonly Row[], keyOf: (row: Row) => string, wins: (row: Row, known: Row) => boolean = () => true): Row[] {
  if (changed.length === 0) return rows;
  const left = new Map(changed.map((row) => [keyOf(row), row]));
  const next = rows.map((known) => {
    const row = left.get(keyOf(known));
    left.delete(keyOf(known));
    return row && wins(row, known) ? row : known;
  });
  return [...next, ...left.values()];
}

/** A message's version rises with each change: an older row never comes back over a newer one. */
function isNewer(row: MessageView, known: MessageView): boolean {
  return row.version >= known.version;
}

function append(messages: MessageView[], appends: readonly MessageAppend[]): MessageView[] {
  return appends.reduce((rows, { messageId, version, text }) => rows.map((row) => (row.messageId === messageId && row.version < version ? { ...row, version, payload: { ...row.payload, text: textOf(row) + text } } : row)), messages);
}

function textOf({ payload }: MessageView): string {
  return typeof payload['text'] === 'string' ? payload['text'] : '';
}

function interactionKey({ turnId, requestId }: InteractionView): string {
  return JSON.stringify([turnId, requestId]);
}
