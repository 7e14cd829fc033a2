/** Claims and envelopes of prompts, and the message that a prompt becomes (agent-host 1.2, 2.2). */

import { writeJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import type { PromptBlock } from '../../core/agent/runtime.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import type { Connection } from './connection.ts';
import { findMessage, insertMessage } from './messages.ts';
import { jsonOf } from './rows.ts';
import type { Tx } from './transaction.ts';
import { byTurn, type TurnKey } from './turns.ts';

export type ClaimKey = SessionRef & { clientSubmitId: string };
export type Claim = { status: 'prepared' | 'accepted' | 'rejected'; turnId: string };
export type Envelope = { content: readonly PromptBlock[]; displayPrompt: string; clientSubmitId: string };

const byClaim = 'workspace_id = $workspaceId and agent_session_id = $agentSessionId and client_submit_id = $clientSubmitId';

export function findClaim(sql: Connection, key: ClaimKey): Claim | null {
  const row = sql.get(`select status, canonical_turn_id from workspace_agent_submit_claims where ${byClaim}`, key);
  return row ? { status: row['status'] as Claim['status'], turnId: row['canonical_turn_id'] as string } : null;
}

/** Binds the turn to the submission, for good. */
export function insertClaim(tx: Tx, key: ClaimKey & { turnId: string }): void {
  tx.sql.run("insert into workspace_agent_submit_claims (workspace_id, agent_session_id, client_submit_id, status, canonical_turn_id, created_at_unix_ms) values ($workspaceId, $agentSessionId, $clientSubmitId, 'prepared', $turnId, $now)", { ...key, now: tx.nowUnixMs });
}

export function endClaim(tx: Tx, key: ClaimKey, status: 'accepted' | 'rejected'): void {
  tx.sql.run(`update workspace_agent_submit_claims set status = $status, turn_id = canonical_turn_id where ${byClaim} and status = 'prepared'`, { ...key, status });
}

/** Only a submission that never left may be forgotten. */
export function deleteClaim(tx: Tx, key: ClaimKey): void {
  tx.sql.run(`delete from workspace_agent_submit_claims where ${byClaim} and status = 'prepared'`, key);
}

export function insertEnvelope(tx: Tx, turn: TurnKey, { content, displayPrompt, clientSubmitId }: Envelope): void {
  tx.sql.run(
    'insert into workspace_agent_turn_submissions (workspace_id, agent_session_id, turn_id, content_json, display_prompt, client_submit_id) values ($workspaceId, $agentSessionId, $turnId, $content, $displayPrompt, $clientSubmitId)',
    { ...turn, content: writeJson(content as unknown as Json), displayPrompt, clientSubmitId },
  );
}

export function findEnvelope(sql: Connection, turn: TurnKey): Envelope | null {
  const row = sql.get(`select * from workspace_agent_turn_submissions where ${byTurn}`, turn);
  return row ? { content: jsonOf(row['content_json']) as PromptBlock[], displayPrompt: row['display_prompt'] as string, clientSubmitId: row['client_submit_id'] as string } : null;
}

/** The prompt of a turn as a message, from its envelope; before everything that the provider says of it. */
export function insertPrompt(tx: Tx, turn: TurnKey): void {
  const envelope = findEnvelope(tx.sql, turn);
  if (!envelope || findMessage(tx.sql, { ...turn, messageId: promptMessageId(turn, envelope) })) return;
  insertMessage(tx, turn, { messageId: promptMessageId(turn, envelope), turnId: turn.turnId, role: 'user', kind: 'text', status: 'completed', payload: payloadOf(envelope), semantics: null });
}

export function promptMessageId({ turnId }: { turnId: string }, { clientSubmitId }: Envelope): string {
  return `client-submit:user:${clientSubmitId || turnId}`;
}

/** Text blocks, one below the other; a connector has no words. */
export function promptText(content: readonly PromptBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function payloadOf({ content, displayPrompt, clientSubmitId }: Envelope): JsonObject {
  return { text: promptText(content), content: content as unknown as Json, ...(clientSubmitId && { clientSubmitId }), ...(displayPrompt && { displayPrompt }) };
}
