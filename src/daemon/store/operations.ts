/** Rows of durable runtime operations: prepared, leased by one runner, completed once (agent-host 1.4, 2.3). */

import { writeJson, type JsonObject } from '../../core/json/exact.ts';
import type { SessionRef, TurnOutcome } from '../../core/agent/views.ts';
import type { Connection, Row } from './connection.ts';
import { objectOf, refOf } from './rows.ts';
import type { Tx } from './transaction.ts';

export type OperationKind = 'interactive_response' | 'cancel_turn';
export type OperationResult = 'answered' | 'superseded' | 'canceled' | 'already_settled' | 'failed';

export type Operation = {
  operationId: string;
  ref: SessionRef;
  kind: OperationKind;
  status: 'prepared' | 'leased' | 'completed' | 'failed';
  result: OperationResult | null;
  turnId: string;
  /** Empty for a cancel. */
  requestId: string;
  payload: JsonObject;
  attempt: number;
  lastError: string;
};

export function findOperation(sql: Connection, operationId: string): Operation | null {
  const row = sql.get('select * from workspace_agent_runtime_operations where operation_id = $operationId', { operationId });
  return row ? operationOf(row) : null;
}

/** Prepared or leased, oldest first. */
export function listOpenOperations(sql: Connection, limit: number): Operation[] {
  return sql.all("select * from workspace_agent_runtime_operations where status in ('prepared', 'leased') order by created_at_unix_ms, rowid limit $limit", { limit }).map(operationOf);
}

export function insertOperation(tx: Tx, operation: Pick<Operation, 'operationId' | 'ref' | 'kind' | 'turnId' | 'requestId' | 'payload'>): void {
  tx.sql.run(
    `insert into workspace_agent_runtime_operations (operation_id, workspace_id, agent_session_id, kind, status, turn_id, request_id, payload_json, next_attempt_at_unix_ms, created_at_unix_ms)
     values ($operationId, $workspaceId, $agentSessionId, $kind, 'prepared', $turnId, $requestId, $payload, $now, $now)`,
    { ...operation, ...operation.ref, payload: writeJson(operation.payload), now: tx.nowUnixMs },
  );
}

/** An operation that failed is tried again from the start; only a cancel asks for that. */
export function reviveOperation(tx: Tx, operationId: string): void {
  tx.sql.run("update workspace_agent_runtime_operations set status = 'prepared', attempt = 0, last_error = '', next_attempt_at_unix_ms = $now where operation_id = $operationId and status = 'failed'", { operationId, now: tx.nowUnixMs });
}

/** The operation with one attempt more, or null where somebody else holds it or it has ended. */
export function leaseOperation(tx: Tx, { operationId, owner, leaseMs }: { operationId: string; owner: string; leaseMs: number }): Operation | null {
  const changed = tx.sql.run(
    `update workspace_agent_runtime_operations set status = 'leased', lease_owner = $owner, lease_expires_at_unix_ms = $expires, next_attempt_at_unix_ms = null, attempt = attempt + 1
     where operation_id = $operationId and (status = 'prepared' or (status = 'leased' and lease_expires_at_unix_ms <= $now))`,
    { operationId, owner, expires: tx.nowUnixMs + leaseMs, now: tx.nowUnixMs },
  );
  return changed === 1 ? findOperation(tx.sql, operationId) : null;
}

export function releaseOperation(tx: Tx, { operationId, delayMs, error }: { operationId: string; delayMs: number; error: string }): void {
  end(tx, { operationId, set: "status = 'prepared', next_attempt_at_unix_ms = $due, last_error = $error", values: { due: tx.nowUnixMs + delayMs, error } });
}

export function failOperation(tx: Tx, { operationId, error }: { operationId: string; error: string }): void {
  end(tx, { operationId, set: "status = 'failed', last_error = $error, next_attempt_at_unix_ms = null", values: { error } });
}

/** Completed once: a second completion changes nothing. */
export function completeOperation(tx: Tx, { operationId, result }: { operationId: string; result: OperationResult }): void {
  end(tx, { operationId, set: "status = 'completed', result = $result, completed_at_unix_ms = $now, next_attempt_at_unix_ms = null", values: { result, now: tx.nowUnixMs } });
}

/** A terminal that lands first makes an open cancel a no-op (agent-host D3). */
export function completeCancelOf(tx: Tx, turn: SessionRef & { turnId: string }, outcome: TurnOutcome): void {
  const open = tx.sql.get(
    `select operation_id from workspace_agent_runtime_operations where workspace_id = $workspaceId and agent_session_id = $agentSessionId and turn_id = $turnId and kind = 'cancel_turn' and status in ('prepared', 'leased')`,
    turn,
  );
  if (open) completeOperation(tx, { operationId: open['operation_id'] as string, result: outcome === 'canceled' ? 'canceled' : 'already_settled' });
}

/** Nobody waits any more for answers that were put off; one that is under way is ended by its own runner. */
export function completeAnswersOf(tx: Tx, turn: SessionRef & { turnId: string }): void {
  const open = tx.sql.all(
    `select operation_id from workspace_agent_runtime_operations where workspace_id = $workspaceId and agent_session_id = $agentSessionId and turn_id = $turnId and kind = 'interactive_response' and status = 'prepared'`,
    turn,
  );
  for (const row of open) completeOperation(tx, { operationId: row['operation_id'] as string, result: 'superseded' });
}

/** After a restart nobody holds a lease, whatever its end. */
export function requeueOperations(tx: Tx): number {
  return tx.sql.run("update workspace_agent_runtime_operations set status = 'prepared', lease_owner = null, lease_expires_at_unix_ms = null, next_attempt_at_unix_ms = $now where status = 'leased'", { now: tx.nowUnixMs });
}

function end(tx: Tx, { operationId, set, values }: { operationId: string; set: string; values: { [name: string]: string | number } }): void {
  tx.sql.run(`update workspace_agent_runtime_operations set ${set}, lease_owner = null, lease_expires_at_unix_ms = null where operation_id = $operationId and status in ('prepared', 'leased')`, { operationId, ...values });
}

function operationOf(row: Row): Operation {
  return {
    operationId: row['operation_id'] as string,
    ref: refOf(row),
    kind: row['kind'] as OperationKind,
    status: row['status'] as Operation['status'],
    result: row['result'] as OperationResult | null,
    turnId: row['turn_id'] as string,
    requestId: row['request_id'] as string,
    payload: objectOf(row['payload_json']),
    attempt: Number(row['attempt']),
    lastError: row['last_error'] as string,
  };
}
