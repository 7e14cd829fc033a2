/** The compound transactions of a create and a send (agent-host 1.1, 1.2). */

import { firstDifference } from '../../core/json/compare.ts';
import { writeJson } from '../../core/json/exact.ts';
import type { SessionRef, Settings, TurnError } from '../../core/agent/views.ts';
import { cancelRunning } from './messages.ts';
import { Refusal } from './refusal.ts';
import { bySession, contextOf, findSession, insertSession, needSession, patchSession, type NewSession, type SessionPatch, type StoredSession } from './sessions.ts';
import { deleteClaim, endClaim, insertClaim, insertEnvelope, insertPrompt, type Envelope } from './submissions.ts';
import type { Tx } from './transaction.ts';
import { byTurn, findTurn, insertTurn, settleTurn, type TurnKey } from './turns.ts';

export type NewTurn = { turnId: string; envelope: Envelope; settings?: Settings; derivedTitle: string; withClaim: boolean };

/**
 * Creates the session, or takes the one that is there where it stands on the same rail, and begins its first turn with it: the
 * session is never idle before that turn settled (desktop-order b9). Gives whether the row is new.
 */
export function initializeSession(tx: Tx, { session, turn }: { session: NewSession; turn: NewTurn | null }): boolean {
  const existing = findSession(tx.sql, session.ref);
  if (existing && existing.railSectionKey !== session.rail.key)
    throw new Refusal('rail_placement_conflict', `Cannot create session "${session.ref.agentSessionId}": it stands on rail "${existing.railSectionKey}", the same one was needed`);
  if (existing) bindRuntime(tx, session.ref, session);
  else insertSession(tx, session);
  if (turn) beginTurn(tx, session.ref, turn);
  return !existing;
}

/** Turn, envelope, claim, settings and first title in one. */
export function beginTurn(tx: Tx, ref: SessionRef, { turnId, envelope, settings, derivedTitle, withClaim }: NewTurn): void {
  const session = needSession(tx.sql, ref);
  if (withClaim) insertClaim(tx, { ...ref, clientSubmitId: envelope.clientSubmitId, turnId });
  insertTurn(tx, { ...ref, turnId }, 'user_prompt');
  insertEnvelope(tx, { ...ref, turnId }, envelope);
  if (settings && firstDifference(session.settings, settings)) patchSession(tx, ref, { settings_json: writeJson(settings) });
  // An explicit title wins for good, an empty one too.
  if (session.title === '' && !session.isTitleEstablished && derivedTitle !== '') patchSession(tx, ref, { title: derivedTitle, is_title_established: 1 });
}

/** What a runtime said of a session that it has just started or resumed; blank members keep what is there. */
export function bindRuntime(tx: Tx, ref: SessionRef, facts: Pick<NewSession, 'providerSessionId' | 'model' | 'resumeCheckpoint'>): void {
  const session = needSession(tx.sql, ref);
  const model = facts.model || session.model;
  const providerSessionId = facts.providerSessionId || session.providerSessionId;
  const checkpoint = facts.resumeCheckpoint ?? session.resumeCheckpoint;
  const isSame = model === session.model && providerSessionId === session.providerSessionId && JSON.stringify(checkpoint) === JSON.stringify(session.resumeCheckpoint);
  if (!isSame) patchSession(tx, ref, { model, provider_session_id: providerSessionId, internal_runtime_context_json: writeJson(contextOf(checkpoint)) });
}

/** The provider has the prompt: it is part of the transcript, and the claim has its end. */
export function acceptSubmission(tx: Tx, turn: TurnKey, clientSubmitId: string): void {
  if (findTurn(tx.sql, turn)) insertPrompt(tx, turn);
  if (clientSubmitId) endClaim(tx, { ...turn, clientSubmitId }, 'accepted');
}

/** The provider said no: prompt and failed turn stay as facts. */
export function rejectSubmission(tx: Tx, turn: TurnKey, { clientSubmitId, error }: { clientSubmitId: string; error: TurnError }): void {
  insertPrompt(tx, turn);
  if (findTurn(tx.sql, turn)?.phase !== 'settled') {
    cancelRunning(tx, turn);
    settleTurn(tx, turn, { outcome: 'failed', error });
  }
  if (clientSubmitId) endClaim(tx, { ...turn, clientSubmitId }, 'rejected');
}

/** What a new turn may change of its session, as it was before. */
type SessionBefore = Pick<StoredSession, 'title' | 'isTitleEstablished' | 'settings'>;

/** A turn that never left is taken back with what it changed of its session, unless somebody could have seen something of it. */
export function withdrawTurn(tx: Tx, turn: TurnKey, { clientSubmitId, before }: { clientSubmitId: string; before: SessionBefore | null }): void {
  const isUntouched = tx.sql.get(`select 1 as found from workspace_agent_turns where ${byTurn} and phase = 'submitted' and root_provider_turn_id = ''`, turn) !== undefined;
  const isBare = tx.sql.get(`select 1 as found from workspace_agent_messages where ${byTurn} union all select 1 from workspace_agent_interactions where ${byTurn} union all select 1 from workspace_agent_runtime_operations where ${byTurn}`, turn) === undefined;
  if (!isUntouched || !isBare) return;
  patchSession(tx, turn, { active_turn_id: null, ...(before && changesBack(needSession(tx.sql, turn), before)) });
  tx.touched.turn(turn);
  tx.sql.run(`delete from workspace_agent_turn_submissions where ${byTurn}`, turn);
  tx.sql.run(`delete from workspace_agent_turns where ${byTurn}`, turn);
  if (clientSubmitId) deleteClaim(tx, { ...turn, clientSubmitId });
}

function changesBack({ isTitleEstablished }: StoredSession, before: SessionBefore): SessionPatch {
  // A title that nobody established is a provider's word, and stays.
  const isTitleOurs = isTitleEstablished && !before.isTitleEstablished;
  return { settings_json: writeJson(before.settings), ...(isTitleOurs && { title: before.title, is_title_established: 0 }) };
}

/** Takes back a failed create: its turn and, where this attempt made it and nothing else holds on to it, its session (agent-host 1.1). */
export function rollBackCreate(tx: Tx, { turn, ref, clientSubmitId, isSessionNew, before }: { turn: TurnKey | null; ref: SessionRef; clientSubmitId: string; isSessionNew: boolean; before: SessionBefore | null }): void {
  if (turn && findTurn(tx.sql, turn)) withdrawTurn(tx, turn, { clientSubmitId, before });
  if (clientSubmitId && !(turn && findTurn(tx.sql, turn))) deleteClaim(tx, { ...ref, clientSubmitId });
  const held = `select 1 as found from workspace_agent_turns where ${bySession} union all select 1 from workspace_agent_messages where ${bySession}
    union all select 1 from workspace_agent_sessions where workspace_id = $workspaceId and parent_agent_session_id = $agentSessionId`;
  if (!isSessionNew || tx.sql.get(held, ref)) return;
  tx.touched.session(ref);
  tx.sql.run(`delete from workspace_agent_sessions where ${bySession}`, ref);
}
