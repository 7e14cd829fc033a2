/** Rows of messages (agent-host 2.1). */

import { writeJson, type JsonObject } from '../../core/json/exact.ts';
import type { MessageReport } from '../../core/agent/report.ts';
import type { MessageView, SessionRef } from '../../core/agent/views.ts';
import type { Connection } from './connection.ts';
import { Refusal } from './refusal.ts';
import { messageView } from './rows.ts';
import { stepMessage, turnOfKind } from './rules/message.ts';
import { bySession, nextMessageVersion } from './sessions.ts';
import type { Tx } from './transaction.ts';

export type MessageKey = SessionRef & { messageId: string };

const byMessage = `${bySession} and message_id = $messageId`;

export function findMessage(sql: Connection, key: MessageKey): MessageView | null {
  const row = sql.get(`select * from workspace_agent_messages where ${byMessage}`, key);
  return row ? messageView(row) : null;
}

/** In the order of a capture: by version, then by id (cassette-contract 7.2). */
export function listMessages(sql: Connection, ref: SessionRef): MessageView[] {
  return sql.all(`select * from workspace_agent_messages where ${bySession} order by version, message_id`, ref).map(messageView);
}

/** The durable prompt of a submission, by which a claim is healed (subtlest rule 2). */
export function findPrompt(sql: Connection, key: SessionRef & { clientSubmitId: string }): MessageView | null {
  const row = sql.get(`select * from workspace_agent_messages where ${bySession} and json_extract(payload_json, '$.clientSubmitId') = $clientSubmitId limit 1`, key);
  return row ? messageView(row) : null;
}

/** Merges a report; one that changes nothing takes no version. */
export function putMessage(tx: Tx, ref: SessionRef, report: MessageReport): void {
  checkTurnOfKind(report);
  const key = { ...ref, messageId: report.messageId };
  const step = stepMessage(findMessage(tx.sql, key), report);
  switch (step.kind) {
    case 'insert':
      insertMessage(tx, ref, { ...report, ...step.content, semantics: null });
      return;
    case 'update':
      tx.touched.message(key);
      tx.sql.run(`update workspace_agent_messages set version = $version, status = $status, payload_json = $payload, updated_at_unix_ms = $now where ${byMessage}`, {
        ...key, version: nextMessageVersion(tx, ref), status: step.content.status, payload: writeJson(step.content.payload), now: tx.nowUnixMs,
      });
      return;
    case 'already':
      return;
    case 'conflict':
      throw new Refusal('message_conflict', `Cannot store message "${report.messageId}": it has another ${step.on}, and that does not change`);
  }
}

export type NewMessage = { messageId: string; turnId: string | null; role: string; kind: string; status: string; payload: JsonObject; semantics: JsonObject | null };

export function insertMessage(tx: Tx, ref: SessionRef, message: NewMessage): void {
  tx.touched.message({ ...ref, messageId: message.messageId });
  tx.sql.run(
    `insert into workspace_agent_messages (workspace_id, agent_session_id, message_id, version, turn_id, role, kind, status, semantics_json, payload_json, created_at_unix_ms, updated_at_unix_ms)
     values ($workspaceId, $agentSessionId, $messageId, $version, $turnId, $role, $kind, $status, $semantics, $payload, $now, $now)`,
    { ...message, ...ref, version: nextMessageVersion(tx, ref), semantics: message.semantics && writeJson(message.semantics), payload: writeJson(message.payload), now: tx.nowUnixMs },
  );
}

/** Messages that still run when the Host itself ends a turn: nobody is left who could end them. */
export function cancelRunning(tx: Tx, turn: SessionRef & { turnId: string }): void {
  const running = tx.sql.all(`select * from workspace_agent_messages where ${bySession} and turn_id = $turnId and status = 'running' order by version`, turn).map(messageView);
  for (const { messageId, turnId, role, kind } of running) putMessage(tx, turn, { messageId, turnId, role: role as MessageReport['role'], kind, status: 'canceled' });
}

function checkTurnOfKind({ messageId, kind, turnId }: MessageReport): void {
  const rule = turnOfKind(kind);
  if ((rule === 'needed' && turnId === null) || (rule === 'forbidden' && turnId !== null))
    throw new Refusal('message_conflict', `Cannot store message "${messageId}": it is a "${kind}" ${turnId === null ? 'without' : 'of'} a turn, and that kind ${rule === 'needed' ? 'belongs to one' : 'has none'}`);
}
