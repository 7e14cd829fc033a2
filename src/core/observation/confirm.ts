/** Whether a committed transaction is what an observation waits for (cassette-contract 6.5). */

import { foldCallStatus, foldTurnPhase } from '../checkpoint/fold.ts';
import { isBlank, textAt, trim } from '../json/read.ts';
import type { CommitCorrelation } from '../journal/entry.ts';
import { isChild, type ObservationEvent } from './batch.ts';
import { interactionMutationId, type CommittedFacts, type CommittedMessage, type CommittedMutation, type CommittedSession, type CommittedState } from './committed.ts';
import { attachmentBlocks } from './message.ts';

/** `rootId` is the session that a blank one means. */
export type Confirmation = { event: ObservationEvent; facts: CommittedFacts; rootId: string };

/** The correlation, confirmed where the transaction holds what was observed; the first such transaction stays (6.5). */
export function confirmCorrelation(correlation: CommitCorrelation, confirmation: Confirmation): CommitCorrelation {
  const transactionId = trim(confirmation.facts.transactionId);
  if (correlation.confirmed || transactionId === '' || !isCommitted(correlation.kind, confirmation)) return correlation;
  return { ...correlation, confirmed: true, transactionId };
}

/** A turn as it was observed is the turn as it was stored: phases in the stored words, and at least one of both known (6.5). */
export function isTurnState({ turnPhase, turnOutcome }: Pick<ObservationEvent, 'turnPhase' | 'turnOutcome'>, { phase, outcome }: CommittedState): boolean {
  if (isBlank(turnPhase) && isBlank(turnOutcome)) return false;
  const isPhase = isBlank(turnPhase) || foldTurnPhase(turnPhase) === foldTurnPhase(phase);
  return isPhase && (isBlank(turnOutcome) || trim(turnOutcome) === trim(outcome));
}

/** The provider's own turn behind a root turn: with an outcome it must be completed, else the phases agree (6.5). */
export function isRootTurnState({ turnPhase, turnOutcome }: Pick<ObservationEvent, 'turnPhase' | 'turnOutcome'>, { phase, outcome }: CommittedState): boolean {
  if (!isBlank(turnOutcome)) return trim(phase) === 'completed' && trim(turnOutcome) === trim(outcome);
  return !isBlank(turnPhase) && foldTurnPhase(turnPhase) === foldTurnPhase(phase);
}

function isCommitted(kind: string, confirmation: Confirmation): boolean {
  switch (kind) {
    case 'session':
      return isSessionCommitted(confirmation);
    case 'interaction':
      return isInteractionCommitted(confirmation);
    case 'call':
      return isCallCommitted(confirmation);
    case 'message':
      return isMessageCommitted(confirmation);
    case 'turn':
      return isTurnCommitted(confirmation);
    default:
      return false;
  }
}

function isSessionCommitted(confirmation: Confirmation): boolean {
  const { event, facts } = confirmation;
  const isSame = (session: CommittedSession): boolean => isChild(session) && trim(session.sessionId) === trim(event.agentSessionId) && lineage.every((name) => trim(session[name]) === trim(event[name]));
  return facts.sessions.some(isSame) && isMutated(confirmation, 'session', event.agentSessionId);
}

function isInteractionCommitted(confirmation: Confirmation): boolean {
  const { event, facts } = confirmation;
  const status = event.type === 'interaction.superseded' ? 'superseded' : 'pending';
  const ids = { turnId: trim(event.turnId), requestId: trim(event.interactionId) };
  const isThere = facts.interactions.some((row) => isOfSession(confirmation, row) && trim(row.turnId) === ids.turnId && trim(row.requestId) === ids.requestId && trim(row.status) === status);
  return isThere && isMutated(confirmation, 'interaction', interactionMutationId(ids));
}

function isTurnCommitted(confirmation: Confirmation): boolean {
  const { event, facts } = confirmation;
  const rootTurnId = rootTurnOf(event);
  const isStored = facts.turns.some((turn) => isOfSession(confirmation, turn) && trim(turn.turnId) === trim(event.turnId) && isTurnState(event, turn));
  const isRootStored = facts.rootProviderTurns.some((turn) => trim(turn.rootTurnId) === rootTurnId && isRootTurnState(event, turn));
  const results = facts.rootTurnResults.filter((result) => trim(result.rootTurnId) === rootTurnId);
  const isShown = event.type === 'root_provider_turn.started' && results.some(({ state }) => state !== null && (isTurnState(event, state) || isRootTurnState(event, state)));
  const hasMatch = isStored || isRootStored || isShown;
  return hasMatch && (isShown || isMutated(confirmation, 'turn', event.turnId) || results.some(({ isAccepted }) => isAccepted));
}

function isCallCommitted(confirmation: Confirmation): boolean {
  const { event } = confirmation;
  const status = isBlank(event.status) ? impliedCallStatus(event.type) : foldCallStatus(event.status);
  return hasMessage(confirmation, ({ status: own, payload }) => textAt(payload, 'callId') === trim(event.callId) && foldCallStatus(textAt(payload, 'status') ?? own) === status);
}

function isMessageCommitted(confirmation: Confirmation): boolean {
  const { event } = confirmation;
  return hasMessage(confirmation, ({ messageId, status, payload }) => {
    const isSame = trim(messageId) === trim(event.messageId) && said(payload, 'messageKind') === trim(event.messageKind) && orCompleted(status) === orCompleted(event.status);
    const isNotice = event.type !== 'compaction.updated' || (said(payload, 'noticeCommand') === trim(event.noticeCommand) && said(payload, 'noticeCommandStatus') === trim(event.noticeCommandStatus));
    const areAttachments = event.type !== 'attachment.materialized' || attachmentBlocks(payload).length === event.attachmentCount;
    return isSame && isNotice && areAttachments;
  });
}

/** A message of the turn that fits and was written by this very transaction. */
function hasMessage(confirmation: Confirmation, fits: (message: CommittedMessage) => boolean): boolean {
  const { event, facts } = confirmation;
  return facts.messages.some((message) => isOfSession(confirmation, message) && trim(message.turnId) === trim(event.turnId) && fits(message) && isMutated(confirmation, 'message', message.messageId));
}

function isMutated(confirmation: Confirmation, kind: CommittedMutation['kind'], id: string): boolean {
  return confirmation.facts.mutations.some((mutation) => mutation.kind === kind && isOfSession(confirmation, mutation) && trim(mutation.id) === trim(id));
}

function isOfSession({ event, rootId }: Confirmation, { sessionId }: { sessionId: string }): boolean {
  return (trim(event.agentSessionId) || rootId) === (trim(sessionId) || rootId);
}

// Note: the suffix of `call.started` is no status of the store, where a call that has begun is running.
function impliedCallStatus(type: string): string {
  return type === 'call.started' ? 'running' : type.slice(type.indexOf('.') + 1);
}

const rootTurnOf = ({ rootTurnId, turnId }: ObservationEvent): string => trim(rootTurnId) || trim(turnId);
const said = (payload: CommittedMessage['payload'], key: string): string => trim(textAt(payload, key) ?? '');
const orCompleted = (status: string): string => trim(status) || 'completed';
const lineage = ['rootAgentSessionId', 'rootTurnId', 'parentAgentSessionId', 'parentTurnId', 'parentToolCallId'] as const;
