/** What a crash left open is ended as a unit (agent-host 1.11, stale settle). */

import { cancelRunning, insertMessage } from './messages.ts';
import { refOf } from './rows.ts';
import type { Tx } from './transaction.ts';
import { settleTurn } from './turns.ts';

/**
 * Every unsettled turn is interrupted, except one that an open operation still works on, and each says so in its transcript. A
 * claim whose turn was never written is released: the turn row comes before the dispatch, so nothing of it can have left.
 */
export function settleStale(tx: Tx): number {
  const stale = tx.sql.all(
    `select workspace_id, agent_session_id, turn_id from workspace_agent_turns as turn where phase <> 'settled' and not exists (
       select 1 from workspace_agent_runtime_operations as operation where operation.workspace_id = turn.workspace_id and operation.agent_session_id = turn.agent_session_id
       and operation.turn_id = turn.turn_id and operation.status in ('prepared', 'leased'))
     order by workspace_id, agent_session_id`,
  );
  for (const row of stale) interrupt(tx, { ...refOf(row), turnId: row['turn_id'] as string });
  tx.sql.run(
    `delete from workspace_agent_submit_claims where status = 'prepared' and not exists (
       select 1 from workspace_agent_turns as turn where turn.workspace_id = workspace_agent_submit_claims.workspace_id
       and turn.agent_session_id = workspace_agent_submit_claims.agent_session_id and turn.turn_id = workspace_agent_submit_claims.canonical_turn_id)`,
  );
  return stale.length;
}

function interrupt(tx: Tx, key: { workspaceId: string; agentSessionId: string; turnId: string }): void {
  cancelRunning(tx, key);
  insertMessage(tx, key, { messageId: `interrupted:${key.turnId}`, turnId: key.turnId, role: 'system', kind: 'notice', status: 'completed', payload: { text: 'Interrupted: the app closed while this was running', code: 'turn_interrupted' }, semantics: null });
  settleTurn(tx, key, { outcome: 'interrupted' });
}
