/**
 * One message of Codex → the next state, the rows to report and what follows their commit (replay-runtime 7, agent-host 1.2).
 * Pure: nothing is sent, stored or awaited here.
 */

import { isObject, member, type Json } from '../../../core/json/exact.ts';
import { objectAt, textAt } from '../../../core/json/read.ts';
import { idKey, type ServerMessage } from './codec.ts';
import { reduceItem } from './reduce-item.ts';
import { reduceRequest, reduceResolved, refusalOutsideTurn } from './reduce-request.ts';
import { endOfProcess, turnCompleted, turnFailing, turnStarted } from './reduce-turn.ts';
import { heldCountMax, mergeRows, unchanged, withoutEntry, withTurn, type Effect, type Held, type Reduced, type SessionState } from './session-state.ts';

export function reduce(state: SessionState, message: ServerMessage): Reduced {
  switch (message.kind) {
    case 'answer':
      return reduceAnswer(state, message);
    case 'refusal':
      return { ...forget(state, message.id), effects: [message] };
    case 'request':
    case 'notification':
      return reduceThread(state, message);
    case 'exit':
      return endOfProcess(state, `Codex ended with exit code ${message.exitCode}`);
    case 'other':
      return unchanged(state, { kind: 'note', text: 'a value of Codex is no message' });
  }
}

type Called = Extract<ServerMessage, { method: string }>;

function reduceAnswer(state: SessionState, message: Extract<ServerMessage, { kind: 'answer' }>): Reduced {
  if (idKey(message.id) === state.opening) return { state: { ...state, opening: null, threadId: textAt(objectAt(message.result, 'thread'), 'id') ?? null }, rows: {}, effects: [message] };
  const turnId = state.starting.get(idKey(message.id));
  const providerTurnId = textAt(objectAt(message.result, 'turn'), 'id');
  if (turnId === undefined) return unchanged(state, message);
  if (providerTurnId === undefined || state.threadId === null) return { ...forget(state, message.id), effects: [message] };
  return accept(state, message, { turnId, providerTurnId, threadId: state.threadId });
}

type Accepted = { turnId: string; providerTurnId: string; threadId: string };

// The binding comes first; what came early follows in the same report, as if it came now.
function accept(state: SessionState, message: Extract<ServerMessage, { kind: 'answer' }>, { turnId, providerTurnId, threadId }: Accepted): Reduced {
  const early = state.held.filter((held) => held.providerTurnId === providerTurnId);
  const others = state.held.filter((held) => held.providerTurnId !== providerTurnId);
  const bound = withTurn({ ...state, starting: withoutEntry(state.starting, idKey(message.id)), held: others }, { turnId, providerTurnId, hasBegun: false, isCancelRequested: false, open: new Map(), edits: [], error: null });
  let reduced: Reduced = { state: bound, rows: { turn: { turnId, accepted: { providerSessionId: threadId, providerTurnId } } }, effects: [message] };
  for (const { message: held } of early) reduced = then(reduced, reduce(reduced.state, held));
  return then(reduced, releaseUnclaimed(reduced.state));
}

/** A request that was answered starts nothing any more. */
function forget(state: SessionState, id: Json): Reduced {
  return releaseUnclaimed({ ...state, starting: withoutEntry(state.starting, idKey(id)) });
}

// Output of a turn that none of ours turned out to be.
function releaseUnclaimed(state: SessionState): Reduced {
  if (state.starting.size > 0 || state.held.length === 0) return unchanged(state);
  const refusals = state.held.flatMap(({ message }): Effect[] => (message.kind === 'request' ? [refusalOutsideTurn(message.id)] : []));
  return unchanged({ ...state, held: [] }, { kind: 'note', text: `${state.held.length} messages belong to no turn of this session` }, ...refusals);
}

function then(first: Reduced, second: Reduced): Reduced {
  return { state: second.state, rows: mergeRows(first.rows, second.rows), effects: [...first.effects, ...second.effects] };
}

// Child threads have no rows in this slice; what they ask is refused like anything outside a turn.
function reduceThread(state: SessionState, message: Called): Reduced {
  const threadId = textAt(message.params, 'threadId') ?? textAt(message.params, 'conversationId');
  const isRoot = threadId === undefined || threadId === state.threadId;
  const providerTurnId = turnOf(message) ?? turnOfHeld(state, message);
  if (isRoot && providerTurnId !== null && !state.turns.has(providerTurnId) && state.starting.size > 0) return hold(state, { providerTurnId, message });
  if (message.kind === 'request') return reduceRequest(state, message, isRoot ? providerTurnId : null);
  return isRoot ? reduceNotification(state, message, providerTurnId) : unchanged(state);
}

function hold(state: SessionState, held: Held): Reduced {
  if (state.held.length < heldCountMax) return unchanged({ ...state, held: [...state.held, held] });
  const note: Effect = { kind: 'note', text: `more than ${heldCountMax} messages came before their turn was accepted` };
  // Who asks waits for an answer.
  return held.message.kind === 'request' ? unchanged(state, note, refusalOutsideTurn(held.message.id)) : unchanged(state, note);
}

function reduceNotification(state: SessionState, { method, params }: Called, providerTurnId: string | null): Reduced {
  const turn = providerTurnId === null ? undefined : state.turns.get(providerTurnId);
  if (turn) return reduceTurn(state, { method, params, turn });
  switch (method) {
    case 'serverRequest/resolved':
      return reduceResolved(state, member(params, 'requestId'));
    case 'thread/name/updated':
      return reported(state, { title: textAt(params, 'threadName') ?? '' });
    default:
      return unchanged(state);
  }
}

type OfTurn = { method: string; params: Json; turn: Parameters<typeof turnStarted>[1] };

function reduceTurn(state: SessionState, { method, params, turn }: OfTurn): Reduced {
  switch (method) {
    case 'turn/started':
      return turnStarted(state, turn);
    case 'turn/completed':
      return turnCompleted(state, turn, objectAt(params, 'turn') ?? {});
    case 'error':
      return turnFailing(state, turn, params);
    case 'model/rerouted':
      return reported(state, { model: textAt(params, 'toModel') ?? '' });
    default:
      return reduceItem(state, { method, params, turn });
  }
}

function reported(state: SessionState, session: { title: string } | { model: string }): Reduced {
  const isBlank = Object.values(session).every((text) => text === '');
  return isBlank ? unchanged(state) : { state, rows: { session }, effects: [] };
}

/** The provider's turn that a message is about. A legacy question names none. */
function turnOf(message: ServerMessage): string | null {
  if (!('params' in message) || !isObject(message.params)) return null;
  return textAt(message.params, 'turnId') ?? textAt(objectAt(message.params, 'turn'), 'id') ?? null;
}

/** A question that is held is over when its own turn is known. */
function turnOfHeld({ held }: SessionState, message: Called): string | null {
  const id = message.method === 'serverRequest/resolved' ? member(message.params, 'requestId') : undefined;
  const asked = id === undefined ? undefined : held.find((one) => one.message.kind === 'request' && idKey(one.message.id) === idKey(id));
  return asked?.providerTurnId ?? null;
}
