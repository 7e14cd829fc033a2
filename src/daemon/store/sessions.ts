/** Rows of sessions (agent-host 2.1). */

import { writeJson, type JsonObject } from '../../core/json/exact.ts';
import type { SessionRef, SessionView } from '../../core/agent/views.ts';
import type { Connection, Row } from './connection.ts';
import { Refusal } from './refusal.ts';
import { objectOf, refOf, sessionView } from './rows.ts';
import type { Tx } from './transaction.ts';

/** A session with what only the Host may see. */
export type StoredSession = SessionView & {
  ref: SessionRef;
  userId: string;
  isTitleEstablished: boolean;
  isImported: boolean;
  /** Absent in the metadata counts as true (agent-host 1.3, resume policy). */
  isImportResumable: boolean;
  resumeCheckpoint: JsonObject | null;
};

export type NewSession = {
  ref: SessionRef;
  origin: string;
  userId: string;
  agentTargetId: string;
  provider: string;
  providerSessionId: string;
  model: string;
  settings: JsonObject;
  metadata: JsonObject;
  resumeCheckpoint: JsonObject | null;
  cwd: string;
  rail: { kind: string; projectPath: string; key: string };
  title: string;
  isPinned?: boolean;
  kind?: 'root' | 'child';
  relation?: { rootSessionId: string; rootTurnId: string; parentSessionId: string; parentTurnId: string; parentToolCallId: string };
};

export const bySession = 'workspace_id = $workspaceId and agent_session_id = $agentSessionId';

export function findSession(sql: Connection, ref: SessionRef): StoredSession | null {
  const row = sql.get(`select * from workspace_agent_sessions where ${bySession} and deleted_at_unix_ms = 0`, ref);
  return row ? stored(row) : null;
}

export function needSession(sql: Connection, ref: SessionRef): StoredSession {
  const session = findSession(sql, ref);
  if (!session) throw new Refusal('session_unknown', `Cannot change session "${ref.agentSessionId}": the store does not hold it, its canonical row was needed first`);
  return session;
}

export function insertSession(tx: Tx, session: NewSession): void {
  tx.touched.session(session.ref);
  const relation = session.relation ?? { rootSessionId: '', rootTurnId: '', parentSessionId: '', parentTurnId: '', parentToolCallId: '' };
  const blankAsNull = Object.fromEntries(Object.entries(relation).map(([name, value]) => [name, value || null]));
  tx.sql.run(insert, {
    ...session.ref,
    ...session,
    ...blankAsNull,
    kind: session.kind ?? 'root',
    settings: writeJson(session.settings),
    metadata: writeJson(session.metadata),
    context: writeJson(contextOf(session.resumeCheckpoint)),
    railKind: session.rail.kind,
    railPath: session.rail.projectPath,
    railKey: session.rail.key,
    isTitleEstablished: session.title !== '',
    pinnedAt: session.isPinned ? tx.nowUnixMs : 0,
    now: tx.nowUnixMs,
  });
}

export type SessionPatch = Partial<{
  provider_session_id: string;
  model: string;
  settings_json: string;
  internal_runtime_context_json: string;
  title: string;
  is_title_established: number;
  pinned_at_unix_ms: number;
  active_turn_id: string | null;
  message_version: number;
}>;

/** Writes the columns and moves `updated_at` on, which strictly rises. */
export function patchSession(tx: Tx, ref: SessionRef, patch: SessionPatch): void {
  tx.touched.session(ref);
  const columns = Object.keys(patch).map((column) => `${column} = $${column},`);
  tx.sql.run(`update workspace_agent_sessions set ${columns.join(' ')} updated_at_unix_ms = max($now, updated_at_unix_ms + 1) where ${bySession}`, { ...ref, ...patch, now: tx.nowUnixMs });
}

/** The next value of the session's message counter. */
export function nextMessageVersion(tx: Tx, ref: SessionRef): number {
  const version = Number(tx.sql.get(`select message_version from workspace_agent_sessions where ${bySession}`, ref)?.['message_version']) + 1;
  patchSession(tx, ref, { message_version: version });
  return version;
}

export function contextOf(resumeCheckpoint: JsonObject | null): JsonObject {
  return resumeCheckpoint ? { providerResumeCheckpoint: resumeCheckpoint } : {};
}

/** The session and the live ones below it, the session first and then by id (agent-host 1.10). */
export function listTree(sql: Connection, root: SessionRef): StoredSession[] {
  const below = 'select * from workspace_agent_sessions where workspace_id = $workspaceId and root_agent_session_id = $agentSessionId and deleted_at_unix_ms = 0 order by agent_session_id';
  return [...sql.all(`select * from workspace_agent_sessions where ${bySession} and deleted_at_unix_ms = 0`, root), ...sql.all(below, root)].map(stored);
}

function stored(row: Row): StoredSession {
  const metadata = objectOf(row['session_metadata_json']);
  const checkpoint = objectOf(row['internal_runtime_context_json'])['providerResumeCheckpoint'];
  return {
    ...sessionView(row),
    ref: refOf(row),
    userId: row['user_id'] as string,
    isTitleEstablished: row['is_title_established'] === 1,
    isImported: metadata['imported'] === true,
    isImportResumable: metadata['externalImportResumeSupported'] !== false,
    resumeCheckpoint: checkpoint ? (checkpoint as JsonObject) : null,
  };
}

const insert = `
insert into workspace_agent_sessions (
  workspace_id, agent_session_id, origin, user_id, agent_target_id, provider, provider_session_id, model, settings_json, session_metadata_json, internal_runtime_context_json,
  cwd, rail_section_kind, rail_project_path, rail_section_key, title, is_title_established, session_kind, root_agent_session_id, root_turn_id, parent_agent_session_id,
  parent_turn_id, parent_tool_call_id, pinned_at_unix_ms, created_at_unix_ms, updated_at_unix_ms
) values (
  $workspaceId, $agentSessionId, $origin, $userId, $agentTargetId, $provider, $providerSessionId, $model, $settings, $metadata, $context,
  $cwd, $railKind, $railPath, $railKey, $title, $isTitleEstablished, $kind, $rootSessionId, $rootTurnId, $parentSessionId,
  $parentTurnId, $parentToolCallId, $pinnedAt, $now, $now
)`;
