/** Rows of turns, and how a turn settles (agent-host 2.1). */

import { writeJson, type JsonObject } from '../../core/json/exact.ts';
import type { SessionRef, TurnError, TurnOrigin, TurnOutcome, TurnView } from '../../core/agent/views.ts';
import type { Connection, Row } from './connection.ts';
import { supersedePending } from './interactions.ts';
import { completeAnswersOf, completeCancelOf } from './operations.ts';
import { Refusal } from './refusal.ts';
import { turnView } from './rows.ts';
import { stepTurn } from './rules/turn.ts';
import { bySession, findSession, patchSession } from './sessions.ts';
import type { Tx } from './transaction.ts';

export type TurnKey = SessionRef & { turnId: string };

/** A turn with the projection of the provider's own one. */
export type StoredTurn = TurnView & { providerPhase: 'running' | 'completed' | null; providerOutcome: TurnOutcome | null; providerError: TurnError | null };

export const byTurn = `${bySession} and turn_id = $turnId`;

export function findTurn(sql: Connection, key: TurnKey): StoredTurn | null {
  const row = sql.get(`select * from workspace_agent_turns where ${byTurn}`, key);
  return row ? stored(row) : null;
}

export function needTurn(sql: Connection, key: TurnKey): StoredTurn {
  const turn = findTurn(sql, key);
  if (!turn) throw new Refusal('turn_unknown', `Cannot change turn "${key.turnId}": session "${key.agentSessionId}" has no such turn, its canonical row was needed first`);
  return turn;
}

export function listTurns(sql: Connection, ref: SessionRef): TurnView[] {
  return sql.all(`select * from workspace_agent_turns where ${bySession} order by turn_sequence`, ref).map(turnView);
}

/** A new live turn, which makes the session active. */
export function insertTurn(tx: Tx, key: TurnKey, origin: TurnOrigin): void {
  const live = tx.sql.get(`select turn_id from workspace_agent_turns where ${bySession} and phase <> 'settled'`, key);
  if (live) throw new Refusal('turn_active', `Cannot begin a turn: turn "${String(live['turn_id'])}" has not settled, an idle session was needed`);
  tx.touched.turn(key);
  tx.sql.run(
    `insert into workspace_agent_turns (workspace_id, agent_session_id, turn_id, turn_sequence, phase, turn_origin, started_at_unix_ms)
     values ($workspaceId, $agentSessionId, $turnId, (select coalesce(max(turn_sequence), 0) + 1 from workspace_agent_turns where ${bySession}), 'submitted', $origin, $now)`,
    { ...key, origin, now: tx.nowUnixMs },
  );
  patchSession(tx, key, { active_turn_id: key.turnId });
}

export type TurnPatch = Partial<{
  phase: string;
  outcome: string;
  settled_at_unix_ms: number;
  error_json: string | null;
  file_changes_json: string;
  completed_command_json: string;
  root_provider_turn_id: string;
  root_provider_turn_phase: string;
  root_provider_turn_outcome: string;
  root_provider_turn_error_json: string;
}>;

export function patchTurn(tx: Tx, key: TurnKey, patch: TurnPatch): void {
  const columns = Object.keys(patch);
  if (columns.length === 0) return;
  tx.touched.turn(key);
  tx.sql.run(`update workspace_agent_turns set ${columns.map((column) => `${column} = $${column}`).join(', ')} where ${byTurn}`, { ...key, ...patch });
}

/**
 * The end of a turn: its last answer is frozen, the session is idle, nothing pending can be answered, an open cancel has what it
 * wanted, a person's answer that was put off comes too late, and a root whose provider waited for this child settles with it. The caller has judged the step.
 */
export function settleTurn(tx: Tx, key: TurnKey, end: { outcome: TurnOutcome; error?: TurnError | null }): void {
  patchTurn(tx, key, {
    phase: 'settled',
    outcome: end.outcome,
    settled_at_unix_ms: tx.nowUnixMs,
    completed_command_json: writeJson(completedCommand(tx, key, end.outcome)),
    // A person who canceled does not want to read of an error.
    ...(end.outcome === 'canceled' ? { error_json: null } : end.error ? { error_json: writeJson(end.error) } : {}),
  });
  if (findSession(tx.sql, key)?.activeTurnId === key.turnId) patchSession(tx, key, { active_turn_id: null });
  supersedePending(tx, key);
  completeCancelOf(tx, key, end.outcome);
  completeAnswersOf(tx, key);
  settleWaitingRoot(tx, key);
}

/** Unsettled turns of children below a root turn (subtlest rule 5). */
export function countLiveChildren(sql: Connection, root: TurnKey): number {
  const found = sql.get(
    `select count(*) as count from workspace_agent_sessions as child join workspace_agent_turns as turn using (workspace_id, agent_session_id)
     where child.workspace_id = $workspaceId and child.root_agent_session_id = $agentSessionId and child.root_turn_id = $turnId and child.deleted_at_unix_ms = 0 and turn.phase <> 'settled'`,
    root,
  );
  return Number(found?.['count']);
}

function settleWaitingRoot(tx: Tx, child: TurnKey): void {
  const session = findSession(tx.sql, child);
  if (session?.kind !== 'child') return;
  const key = { workspaceId: child.workspaceId, agentSessionId: session.rootSessionId, turnId: session.rootTurnId };
  const root = findTurn(tx.sql, key);
  if (!root || root.phase === 'settled' || root.providerPhase !== 'completed' || countLiveChildren(tx.sql, key) > 0) return;
  settleTurn(tx, key, { outcome: root.providerOutcome ?? 'completed', error: root.providerError });
}

function completedCommand(tx: Tx, key: TurnKey, outcome: TurnOutcome): JsonObject {
  const last = tx.sql.get(`select message_id from workspace_agent_messages where ${byTurn} and role = 'assistant' and kind = 'text' order by version desc limit 1`, key);
  return { kind: 'prompt', status: outcome, finalAssistantMessageId: (last?.['message_id'] as string | undefined) ?? '', finalAssistantMessageResolved: true };
}

/** Moves a turn on as far as the rules allow; an illegal step refuses the whole transaction (subtlest rule 6). */
export function moveTurn(tx: Tx, key: TurnKey, to: { phase: TurnView['phase']; outcome: TurnOutcome | null; error?: TurnError | null }): void {
  const from = needTurn(tx.sql, key);
  const step = stepTurn(from, to);
  if (step === 'already') return;
  if (step === 'refuse') {
    const [is, asked] = [from, to].map(({ phase, outcome }) => outcome ?? phase);
    throw new Refusal('turn_transition_illegal', `Cannot move turn "${key.turnId}": it is ${is}, which cannot become ${asked}`);
  }
  if (to.outcome === null) patchTurn(tx, key, { phase: to.phase });
  else settleTurn(tx, key, { outcome: to.outcome, ...(to.error !== undefined && { error: to.error }) });
}

function stored(row: Row): StoredTurn {
  const error = row['root_provider_turn_error_json'];
  return {
    ...turnView(row),
    providerPhase: row['root_provider_turn_phase'] as StoredTurn['providerPhase'],
    providerOutcome: row['root_provider_turn_outcome'] as TurnOutcome | null,
    providerError: typeof error === 'string' ? (JSON.parse(error) as TurnError) : null,
  };
}
