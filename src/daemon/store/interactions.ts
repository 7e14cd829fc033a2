/** Rows of interactions (agent-host 2.1). */

import { writeJson, type JsonObject } from '../../core/json/exact.ts';
import type { InteractionReport } from '../../core/agent/report.ts';
import type { InteractionView, SessionRef } from '../../core/agent/views.ts';
import type { Connection } from './connection.ts';
import { Refusal } from './refusal.ts';
import { interactionView } from './rows.ts';
import { stepInteraction } from './rules/interaction.ts';
import type { Tx } from './transaction.ts';

export type InteractionKey = SessionRef & { turnId: string; requestId: string };

const byInteraction = 'workspace_id = $workspaceId and agent_session_id = $agentSessionId and turn_id = $turnId and request_id = $requestId';

export function findInteraction(sql: Connection, key: InteractionKey): InteractionView | null {
  const row = sql.get(`select * from workspace_agent_interactions where ${byInteraction}`, key);
  return row ? interactionView(row) : null;
}

/** In the order of a capture: by turn, then by request (cassette-contract 7.2). */
export function listInteractions(sql: Connection, ref: SessionRef): InteractionView[] {
  const rows = sql.all(
    `select interaction.* from workspace_agent_interactions as interaction join workspace_agent_turns as turn using (workspace_id, agent_session_id, turn_id)
     where interaction.workspace_id = $workspaceId and interaction.agent_session_id = $agentSessionId order by turn.turn_sequence, interaction.request_id`,
    ref,
  );
  return rows.map(interactionView);
}

export function putInteraction(tx: Tx, ref: SessionRef, { report, isTurnSettled }: { report: InteractionReport; isTurnSettled: boolean }): void {
  const key = { ...ref, turnId: report.turnId, requestId: report.requestId };
  switch (stepInteraction(findInteraction(tx.sql, key), report, isTurnSettled)) {
    case 'insert':
      insertInteraction(tx, ref, { ...report, toolName: report.toolName ?? '', input: report.input ?? {}, output: null, metadata: report.metadata ?? {} });
      return;
    case 'apply':
      resolveInteraction(tx, key, { status: report.status });
      return;
    case 'already':
      return;
    case 'conflict':
      throw new Refusal('interaction_conflict', `Cannot store request "${report.requestId}" of turn "${report.turnId}": another request of this name is there, an equal one was needed`);
  }
}

export function insertInteraction(tx: Tx, ref: SessionRef, interaction: Omit<InteractionView, 'agentSessionId'>): void {
  tx.touched.interaction({ ...ref, turnId: interaction.turnId, requestId: interaction.requestId });
  const { input, output, metadata } = interaction;
  tx.sql.run(
    `insert into workspace_agent_interactions (workspace_id, agent_session_id, turn_id, request_id, kind, status, tool_name, input_json, output_json, metadata_json, created_at_unix_ms, updated_at_unix_ms)
     values ($workspaceId, $agentSessionId, $turnId, $requestId, $kind, $status, $toolName, $input, $output, $metadata, $now, $now)`,
    { ...interaction, ...ref, input: writeJson(input), output: output && writeJson(output), metadata: writeJson(metadata), now: tx.nowUnixMs },
  );
}

export function resolveInteraction(tx: Tx, key: InteractionKey, { status, output = null }: { status: string; output?: JsonObject | null }): void {
  tx.touched.interaction(key);
  tx.sql.run(`update workspace_agent_interactions set status = $status, output_json = $output, updated_at_unix_ms = $now where ${byInteraction}`, { ...key, status, output: output && writeJson(output), now: tx.nowUnixMs });
}

/** Nobody can answer the requests of a settled turn. */
export function supersedePending(tx: Tx, turn: SessionRef & { turnId: string }): void {
  const pending = tx.sql.all(`select request_id from workspace_agent_interactions where workspace_id = $workspaceId and agent_session_id = $agentSessionId and turn_id = $turnId and status = 'pending'`, turn);
  for (const row of pending) resolveInteraction(tx, { ...turn, requestId: row['request_id'] as string }, { status: 'superseded' });
}
