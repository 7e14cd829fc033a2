/** Reads of more than one row (agent-host 1.9). */

import type { SessionGraphView, SessionRef, SessionView, TurnView } from '../../core/agent/views.ts';
import type { Connection, Row } from './connection.ts';
import { listInteractions } from './interactions.ts';
import { listMessages } from './messages.ts';
import { sessionView, turnView } from './rows.ts';
import { bySession } from './sessions.ts';
import { byTurn, listTurns } from './turns.ts';

export type TurnPage = { turns: TurnView[]; hasMore: boolean };

export function viewOf(sql: Connection, ref: SessionRef): SessionView | null {
  const row = sql.get(`select * from workspace_agent_sessions where ${bySession} and deleted_at_unix_ms = 0`, ref);
  return row ? sessionView(row) : null;
}

export function graphOf(sql: Connection, ref: SessionRef): SessionGraphView | null {
  const row = sql.get(`select * from workspace_agent_sessions where ${bySession} and deleted_at_unix_ms = 0`, ref);
  return row ? graphWith(sql, ref, row) : null;
}

/** Visible sessions, and the hidden ones where they are asked for, newest first. */
export function listGraphs(sql: Connection, workspaceId: string, { includeHidden = false }: { includeHidden?: boolean } = {}): SessionGraphView[] {
  const rows = sql.all(
    "select * from workspace_agent_sessions where workspace_id = $workspaceId and deleted_at_unix_ms = 0 and ($includeHidden = 1 or json_extract(session_metadata_json, '$.visible') = 1) order by created_at_unix_ms desc, rowid desc",
    { workspaceId, includeHidden },
  );
  return rows.map((row) => graphWith(sql, { workspaceId, agentSessionId: row['agent_session_id'] as string }, row));
}

/** Newest first, below the turn that `before` names; null where the session has no such turn. */
export function pageTurns(sql: Connection, ref: SessionRef, { limit, before }: { limit: number; before?: string }): TurnPage | null {
  const cursor = before === undefined ? Number.MAX_SAFE_INTEGER : sql.get(`select turn_sequence from workspace_agent_turns where ${byTurn}`, { ...ref, turnId: before })?.['turn_sequence'];
  if (cursor === undefined) return null;
  const rows = sql.all(`select * from workspace_agent_turns where ${bySession} and turn_sequence < $cursor order by turn_sequence desc limit $count`, { ...ref, cursor, count: limit + 1 });
  return { turns: rows.slice(0, limit).map(turnView), hasMore: rows.length > limit };
}

/** Whether no turn of the root or of a live session below it is active. */
export function isTreeSettled(sql: Connection, root: SessionRef): boolean {
  const active = sql.get(
    `select 1 as found from workspace_agent_sessions where workspace_id = $workspaceId and (agent_session_id = $agentSessionId or root_agent_session_id = $agentSessionId)
     and deleted_at_unix_ms = 0 and active_turn_id is not null limit 1`,
    root,
  );
  return active === undefined;
}

function graphWith(sql: Connection, ref: SessionRef, row: Row): SessionGraphView {
  return { session: sessionView(row), turns: listTurns(sql, ref), messages: listMessages(sql, ref), interactions: listInteractions(sql, ref) };
}

export type ResumeEvidence = { hasTurns: boolean; hasSettledTurn: boolean; hasProviderTurn: boolean };

/** What the turns of a session say of whether its provider ever took it up (agent-host 1.3). */
export function resumeEvidence(sql: Connection, ref: SessionRef): ResumeEvidence {
  const row = sql.get(`select count(*) as turns, coalesce(sum(phase = 'settled'), 0) as settled, coalesce(sum(root_provider_turn_id <> ''), 0) as bound from workspace_agent_turns where ${bySession}`, ref);
  return { hasTurns: Number(row?.['turns']) > 0, hasSettledTurn: Number(row?.['settled']) > 0, hasProviderTurn: Number(row?.['bound']) > 0 };
}
