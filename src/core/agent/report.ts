/** What an adapter tells the Host about one provider input unit: one report is one transaction (agent-host 2.1). */

import type { JsonObject } from '../json/exact.ts';
import type { InputUnit } from '../ports.ts';
import type { CommittedDelta } from './delta.ts';
import type { InteractionKind, InteractionStatus, SessionRef, TurnError, TurnOutcome } from './views.ts';

export type ActivityReport = {
  ref: SessionRef;
  /** The unit whose handling this is; null for what no provider message caused. */
  unit: InputUnit | null;
  session?: SessionReport;
  turn?: TurnReport;
  rootProviderTurn?: RootProviderTurnReport;
  messages?: MessageReport[];
  interactions?: InteractionReport[];
};

/** Absent or blank members keep what is there. */
export type SessionReport = { providerSessionId?: string; model?: string; title?: string; resumeCheckpoint?: JsonObject };

/**
 * Canonical transition of a turn that the provider did not name, or facts of it. A phase-less report only merges facts.
 * `accepted` binds the provider's identity before anything else of the turn may be stored (provider acceptance barrier).
 */
export type TurnReport = {
  turnId: string;
  phase?: 'running' | 'waiting' | 'settling' | 'settled';
  /** With phase `settled` alone. */
  outcome?: TurnOutcome;
  error?: TurnError;
  /** Replaces what is there. */
  fileChanges?: JsonObject;
  accepted?: { providerSessionId: string; providerTurnId: string };
};

/** The provider's own turn began or ended; the canonical turn follows by the rules of agent-host 2.1. */
export type RootProviderTurnReport = { turnId: string; providerTurnId: string; phase: 'running' | 'completed'; outcome?: TurnOutcome; error?: TurnError };

/**
 * A message by its id. The payload is merged deeply; `contentDelta` is appended to `payload.text`; a terminal status does not
 * go back. Kinds: `text`, `reasoning`, `tool_call`, `plan`, `notice`.
 */
export type MessageReport = {
  messageId: string;
  turnId: string | null;
  role: 'user' | 'assistant' | 'tool' | 'system';
  kind: string;
  status: string;
  payload?: JsonObject;
  contentDelta?: string;
};

export type InteractionReport = {
  turnId: string;
  requestId: string;
  kind: InteractionKind;
  status: InteractionStatus;
  toolName?: string;
  input?: JsonObject;
  metadata?: JsonObject;
};

/** The only way from a runtime to the store. Rejects where the whole report was rolled back. */
export type ActivitySink = { report: (report: ActivityReport) => Promise<CommittedDelta> };
