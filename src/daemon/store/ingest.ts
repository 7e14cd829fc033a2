/** One report of an adapter as one transaction: all of it or nothing (agent-host 1.11, 2.1). */

import { writeJson } from '../../core/json/exact.ts';
import type { ActivityReport, RootProviderTurnReport, SessionReport, TurnReport } from '../../core/agent/report.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import { putInteraction } from './interactions.ts';
import { findMessage, putMessage } from './messages.ts';
import { Refusal } from './refusal.ts';
import { stepProviderTurn } from './rules/turn.ts';
import { contextOf, needSession, patchSession, type SessionPatch } from './sessions.ts';
import { findEnvelope, insertPrompt, promptMessageId } from './submissions.ts';
import type { Tx } from './transaction.ts';
import { countLiveChildren, moveTurn, needTurn, patchTurn, type TurnKey } from './turns.ts';

export function isEmptyReport({ session, turn, rootProviderTurn, messages, interactions }: ActivityReport): boolean {
  return !session && !turn && !rootProviderTurn && !messages?.length && !interactions?.length;
}

/**
 * The binding comes first, so that nothing of a turn is stored before its provider identity; the end of a turn comes last, so
 * that it finds the last answer and the requests of the same report.
 */
export function ingest(tx: Tx, report: ActivityReport): void {
  const { ref } = report;
  needSession(tx.sql, ref);
  if (report.session) putSession(tx, ref, report.session);
  if (report.turn?.accepted) bindTurn(tx, { ...ref, turnId: report.turn.turnId }, report.turn.accepted);
  for (const message of report.messages ?? []) {
    if (message.turnId !== null) needAccepted(tx, { ...ref, turnId: message.turnId });
    putMessage(tx, ref, message);
  }
  for (const interaction of report.interactions ?? []) {
    const turn = needAccepted(tx, { ...ref, turnId: interaction.turnId });
    putInteraction(tx, ref, { report: interaction, isTurnSettled: turn.phase === 'settled' });
  }
  if (report.turn) putTurn(tx, ref, report.turn);
  if (report.rootProviderTurn) putProviderTurn(tx, ref, report.rootProviderTurn);
}

function putSession(tx: Tx, ref: SessionRef, { providerSessionId, model, title, resumeCheckpoint }: SessionReport): void {
  const session = needSession(tx.sql, ref);
  const patch: SessionPatch = {};
  if (providerSessionId && providerSessionId !== session.providerSessionId) patch.provider_session_id = providerSessionId;
  if (model && model !== session.model) patch.model = model;
  if (title && title !== session.title && !session.isTitleEstablished) patch.title = title;
  if (resumeCheckpoint && writeJson(resumeCheckpoint) !== writeJson(session.resumeCheckpoint)) patch.internal_runtime_context_json = writeJson(contextOf(resumeCheckpoint));
  if (Object.keys(patch).length > 0) patchSession(tx, ref, patch);
}

/** The provider acceptance barrier: identity and prompt are durable together (agent-host 1.2). */
function bindTurn(tx: Tx, key: TurnKey, accepted: NonNullable<TurnReport['accepted']>): void {
  const turn = needTurn(tx.sql, key);
  const session = needSession(tx.sql, key);
  if (session.providerSessionId && session.providerSessionId !== accepted.providerSessionId)
    throw conflict(key, `session "${session.providerSessionId}" of the provider holds it, not "${accepted.providerSessionId}"`);
  if (turn.rootProviderTurnId && turn.rootProviderTurnId !== accepted.providerTurnId)
    throw conflict(key, `the provider calls it "${turn.rootProviderTurnId}", not "${accepted.providerTurnId}"`);
  if (!accepted.providerTurnId) throw conflict(key, 'the provider gave no name');
  if (!session.providerSessionId) patchSession(tx, key, { provider_session_id: accepted.providerSessionId });
  if (!turn.rootProviderTurnId) patchTurn(tx, key, { root_provider_turn_id: accepted.providerTurnId });
  insertPrompt(tx, key);
}

/** Nothing of a turn is stored before its prompt is: a provider turn is bound, or the provider took the prompt without one. */
function needAccepted(tx: Tx, key: TurnKey): ReturnType<typeof needTurn> {
  const turn = needTurn(tx.sql, key);
  if (turn.origin !== 'user_prompt' || turn.rootProviderTurnId !== '') return turn;
  const envelope = findEnvelope(tx.sql, key);
  if (envelope && findMessage(tx.sql, { ...key, messageId: promptMessageId(key, envelope) })) return turn;
  throw new Refusal('turn_not_accepted', `Cannot store output of turn "${key.turnId}": the provider has not accepted it, its identity was needed first`);
}

function putTurn(tx: Tx, ref: SessionRef, report: TurnReport): void {
  const key = { ...ref, turnId: report.turnId };
  const turn = needTurn(tx.sql, key);
  if (report.fileChanges && writeJson(report.fileChanges) !== writeJson(turn.fileChanges)) patchTurn(tx, key, { file_changes_json: writeJson(report.fileChanges) });
  if (report.error && report.phase !== 'settled' && writeJson(report.error) !== writeJson(turn.error)) patchTurn(tx, key, { error_json: writeJson(report.error) });
  if (!report.phase) return;
  // A turn may fail before the provider gave it a name, and only that.
  const isEarlyEnd = report.phase === 'settled' && report.outcome !== 'completed';
  if (!isEarlyEnd) needAccepted(tx, key);
  moveTurn(tx, key, { phase: report.phase, outcome: report.outcome ?? null, ...(report.error && { error: report.error }) });
}

function putProviderTurn(tx: Tx, ref: SessionRef, report: RootProviderTurnReport): void {
  const key = { ...ref, turnId: report.turnId };
  const turn = needTurn(tx.sql, key);
  if (turn.rootProviderTurnId === '') throw new Refusal('turn_not_accepted', `Cannot store what became of turn "${key.turnId}": the provider has not accepted it, its identity was needed first`);
  const outcome = report.outcome ?? 'completed';
  const step = stepProviderTurn({ ...turn, providerTurnId: turn.rootProviderTurnId }, { ...report, outcome }, countLiveChildren(tx.sql, key));
  if (step.kind === 'refuse') throw conflict(key, `the provider calls it "${turn.rootProviderTurnId}", not "${report.providerTurnId}"`);
  if (step.kind === 'already') return;
  patchTurn(tx, key, {
    root_provider_turn_phase: report.phase,
    ...(report.phase === 'completed' && { root_provider_turn_outcome: outcome }),
    ...(report.error && { root_provider_turn_error_json: writeJson(report.error) }),
  });
  if (step.canonical) moveTurn(tx, key, { ...step.canonical, ...(report.error && { error: report.error }) });
}

function conflict({ turnId }: TurnKey, is: string): Refusal {
  return new Refusal('provider_binding_conflict', `Cannot bind turn "${turnId}": ${is}, one provider turn for good was needed`);
}

