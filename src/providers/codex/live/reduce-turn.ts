/** The life of a turn: begun, ended, failed, or left behind by a process that ended. */

import type { MessageReport } from '../../../core/agent/report.ts';
import type { TurnError, TurnOutcome } from '../../../core/agent/views.ts';
import { isObject, member, type Json } from '../../../core/json/exact.ts';
import { objectAt, textAt } from '../../../core/json/read.ts';
import { unchanged, withEnded, withoutEntry, withTurn, type Ask, type Effect, type Reduced, type Rows, type SessionState, type TurnState } from './session-state.ts';

export function turnStarted(state: SessionState, turn: TurnState): Reduced {
  const { turnId, providerTurnId } = turn;
  return { state: withTurn(state, { ...turn, hasBegun: true }), rows: { rootProviderTurn: { turnId, providerTurnId, phase: 'running' } }, effects: [{ kind: 'turn-begun', turnId }] };
}

/** `completed` is the `turn` of `turn/completed`; a person's stop is `canceled`, any other one `interrupted`. */
export function turnCompleted(state: SessionState, turn: TurnState, completed: Json): Reduced {
  const outcome = outcomeOf(textAt(completed, 'status'), turn);
  const told = objectAt(completed, 'error');
  const error = told ? readTurnError(told) : outcome === 'failed' ? (turn.error ?? { code: 'provider_error', message: 'Codex gave no reason' }) : null;
  return endTurn(state, { turn, outcome, error, asks: 'superseded' });
}

/** Kept for the end of the turn, where Codex does not mean to try again. */
export function turnFailing(state: SessionState, turn: TurnState, params: Json): Reduced {
  const error = objectAt(params, 'error');
  if (!error || member(params, 'willRetry') === true) return unchanged(state);
  return unchanged(withTurn(state, { ...turn, error: readTurnError(error) }));
}

/**
 * The connection has gone: the turn that ran or was on its way failed, and nothing of it comes any more. There is one at most
 * (agent-host 2.1); of more, all end here, and the last one is reported.
 */
export function endOfProcess(state: SessionState, message: string): Reduced {
  const error = { code: 'provider_exited', message };
  let reduced = unchanged({ ...state, starting: new Map(), held: [] });
  for (const turn of state.turns.values()) {
    const { state: next, rows } = endTurn(reduced.state, { turn, outcome: 'failed', error, asks: 'interrupted' });
    reduced = { state: { ...next, ended: state.ended }, rows, effects: [] };
  }
  // Whether Codex took it is unknown, and nobody will learn its name there (agent-host 1.2, failure before provider identity).
  for (const turnId of state.starting.values()) reduced = { ...reduced, rows: { ...reduced.rows, turn: { turnId, phase: 'settled', outcome: 'failed', error } } };
  return reduced;
}

/** An error of Codex by its own stable name, in our spelling. */
export function readTurnError(error: Json): TurnError {
  const info = member(error, 'codexErrorInfo');
  const name = typeof info === 'string' ? info : isObject(info) ? Object.keys(info)[0] : undefined;
  return { code: name ? snakeCase(name) : 'provider_error', message: textAt(error, 'message') ?? '' };
}

type Ending = { turn: TurnState; outcome: TurnOutcome; error: TurnError | null; asks: 'superseded' | 'interrupted' };

function endTurn(state: SessionState, { turn, outcome, error, asks }: Ending): Reduced {
  const { turnId, providerTurnId } = turn;
  const messages = [...turn.open.values()].map((item): MessageReport => ({ messageId: item.messageId, turnId, role: item.role, kind: item.kind, status: 'canceled', ...(item.kind === 'tool_call' && { payload: { status: 'canceled' } }) }));
  const rows: Rows = {
    rootProviderTurn: { turnId, providerTurnId, phase: 'completed', outcome, ...(error && { error }) },
    ...(turn.edits.length > 0 && { turn: { turnId, fileChanges: { files: [...turn.edits] } } }),
    ...(messages.length > 0 && { messages }),
  };
  const ended: Effect = { kind: 'turn-ended', turnId };
  return { state: { ...state, turns: withoutEntry(state.turns, providerTurnId), ended: withEnded(state.ended, turnId), asks: closeAsks(state.asks, turnId, asks) }, rows, effects: [ended] };
}

// The Host supersedes the pending rows when it settles the turn.
function closeAsks(asks: ReadonlyMap<string, Ask>, turnId: string, disposition: Ending['asks']): ReadonlyMap<string, Ask> {
  return new Map([...asks].map(([id, ask]) => [id, ask.turnId === turnId && ask.disposition === 'pending' ? { ...ask, disposition } : ask]));
}

function outcomeOf(status: string | undefined, { isCancelRequested }: TurnState): TurnOutcome {
  if (status === 'interrupted') return isCancelRequested ? 'canceled' : 'interrupted';
  return status === 'completed' ? 'completed' : 'failed';
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
