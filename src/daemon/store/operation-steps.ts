/** Transactions of the operation engine: an answer to a request, and the cancel of an exact turn (agent-host 1.4). */

import { firstDifference } from '../../core/json/compare.ts';
import type { JsonObject } from '../../core/json/exact.ts';
import type { SessionRef, TurnError, TurnOutcome } from '../../core/agent/views.ts';
import { findInteraction, resolveInteraction, type InteractionKey } from './interactions.ts';
import { cancelRunning } from './messages.ts';
import { completeOperation, findOperation, insertOperation, releaseOperation, reviveOperation, type Operation } from './operations.ts';
import type { Tx } from './transaction.ts';
import { findTurn, settleTurn, type TurnKey } from './turns.ts';

export type Answering = { state: 'not_found' } | { state: 'superseded' } | { state: 'claimed' | 'same'; operation: Operation };

/** The row change `pending` to `answered` is what wins a race; an equal answer joins the winner (subtlest rule 1). */
export function prepareAnswer(tx: Tx, key: InteractionKey, { operationId, output }: { operationId: string; output: JsonObject }): Answering {
  const interaction = findInteraction(tx.sql, key);
  if (!interaction) return { state: 'not_found' };
  const existing = findOperation(tx.sql, operationId);
  if (existing) return firstDifference(existing.payload, output) === null ? { state: 'same', operation: existing } : { state: 'superseded' };
  if (interaction.status !== 'pending') return { state: 'superseded' };
  resolveInteraction(tx, key, { status: 'answered', output });
  insertOperation(tx, { operationId, ref: refOf(key), kind: 'interactive_response', turnId: key.turnId, requestId: key.requestId, payload: output });
  return { state: 'claimed', operation: findOperation(tx.sql, operationId)! };
}

export type Cancelling = { state: 'not_found' } | { state: 'already_settled'; outcome: TurnOutcome; operationId: string | null } | { state: 'open'; operation: Operation };

/** The operation belongs to the turn, whoever asks and however often; one that failed is tried again. */
export function prepareCancel(tx: Tx, key: TurnKey, operationId: string): Cancelling {
  const turn = findTurn(tx.sql, key);
  if (!turn) return { state: 'not_found' };
  const existing = findOperation(tx.sql, operationId);
  if (turn.phase === 'settled') return { state: 'already_settled', outcome: turn.outcome!, operationId: existing?.operationId ?? null };
  if (!existing) insertOperation(tx, { operationId, ref: refOf(key), kind: 'cancel_turn', turnId: key.turnId, requestId: '', payload: {} });
  else reviveOperation(tx, operationId);
  return { state: 'open', operation: findOperation(tx.sql, operationId)! };
}

/** Settles what has not settled by itself, and completes the operation with it. Gives the outcome that stands. */
export function completeCancel(tx: Tx, key: TurnKey, { operationId, end }: { operationId: string; end: { outcome: TurnOutcome; error?: TurnError } }): TurnOutcome {
  const turn = findTurn(tx.sql, key)!;
  if (turn.phase === 'settled') {
    completeOperation(tx, { operationId, result: turn.outcome === 'canceled' ? 'canceled' : 'already_settled' });
    return turn.outcome!;
  }
  completeOperation(tx, { operationId, result: end.outcome === 'canceled' ? 'canceled' : 'failed' });
  cancelRunning(tx, key);
  settleTurn(tx, key, end);
  return end.outcome;
}

/** Ends an attempt that may be made again. An answer whose turn has ended meanwhile comes too late. */
export function putOffOperation(tx: Tx, release: { operationId: string; delayMs: number; error: string }): void {
  const { operationId } = release;
  releaseOperation(tx, release);
  const { ref, kind, turnId } = findOperation(tx.sql, operationId)!;
  if (kind === 'interactive_response' && findTurn(tx.sql, { ...ref, turnId })?.phase === 'settled') completeOperation(tx, { operationId, result: 'superseded' });
}

function refOf({ workspaceId, agentSessionId }: SessionRef): SessionRef {
  return { workspaceId, agentSessionId };
}
