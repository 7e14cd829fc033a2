/** When an intent may be dispatched: decided over a small picture of the window's engine (cassette-contract 3.5, desktop-order b6). */

import { objectAt, present, textAt } from '../json/read.ts';
import { member, type JsonObject } from '../json/exact.ts';
import { intentRule } from './contract.ts';
import type { ActivityEvent } from './event.ts';

export type TurnView = { turnId: string; phase: string; outcome: string | null };

/** What the rules ask of one session. */
export type SessionView = {
  runtimeStatus: string | null;
  goalControlStatus: string | null;
  activeTurn: TurnView | null;
  turns: readonly TurnView[];
  interactions: readonly { turnId: string; requestId: string; status: string }[];
  /** Whether a prompt that is submitted now would become visible in the queue. */
  queuesSubmit: boolean;
};

/** Whether an intent may be dispatched now; `session` is null while the engine does not know it (3.5). */
export function isIntentReady(intent: Pick<ActivityEvent, 'type' | 'payload'>, session: SessionView | null): boolean {
  const { payload } = intent;
  switch (intentRule(intent.type)?.readiness ?? 'always') {
    case 'always':
      return true;
    case 'sessionIfExisting':
      return textAt(payload, 'mode') !== 'existing' || session !== null;
    case 'session':
      return session !== null;
    case 'controllableGoal':
      return session !== null && session.runtimeStatus !== 'blocked' && !unsettledGoals.includes(session.goalControlStatus ?? '');
    case 'pendingInteraction':
      return session?.interactions.some(({ turnId, requestId, status }) => turnId === textAt(payload, 'turnId') && requestId === textAt(payload, 'requestId') && status === 'pending') ?? false;
    case 'completedTurn':
      return session?.turns.some(({ turnId, phase, outcome }) => turnId === textAt(payload, 'turnId') && phase === 'settled' && outcome === 'completed') ?? false;
    case 'activeTurn':
      return isActive(session?.activeTurn ?? null, textAt(payload, 'turnId'));
    case 'queuedSubmit':
      return isQueueAsRecorded(payload, session);
  }
}

function isActive(turn: TurnView | null, turnId: string | undefined): boolean {
  return turn !== null && turn.phase !== 'settled' && (turnId === undefined || turnId === turn.turnId);
}

/** Both recorded values are compared: a prompt that went out at once must not go through the queue unseen (desktop-order b6). */
function isQueueAsRecorded(payload: JsonObject, session: SessionView | null): boolean {
  const queued = member(objectAt(payload, 'submitDiagnostics'), 'queued');
  if (queued === true) return session?.queuesSubmit ?? false;
  return queued !== false || skipsQueue(payload) || !(session?.queuesSubmit ?? false);
}

/** Whether a submission never waits in the queue, whatever the session does (3.6). */
export function skipsQueue(payload: JsonObject): boolean {
  return present(payload, 'routing') === 'immediate' || present(payload, 'routing') === 'send_now';
}

const unsettledGoals = ['pending', 'pending_create', 'unknown'];
