/** The canonical rows of a session graph, as the store gives them to everybody else (agent-host 2.1). */

import type { JsonObject } from '../json/exact.ts';

export type SessionRef = { workspaceId: string; agentSessionId: string };

export type SessionKind = 'root' | 'child';
export type TurnPhase = 'submitted' | 'running' | 'waiting' | 'settling' | 'settled';
export type TurnOutcome = 'completed' | 'failed' | 'canceled' | 'interrupted';
export type TurnOrigin = 'user_prompt' | 'goal_arm' | 'goal_continuation' | 'provider_initiated' | 'legacy_unknown';
export type InteractionKind = 'approval' | 'question' | 'plan';
export type InteractionStatus = 'pending' | 'answered' | 'superseded';
export type MessageStatus = 'running' | 'completed' | 'failed' | 'canceled';

/** Composer settings: `model`, `permissionModeId`, `reasoningEffort`, `speed`, and what a product adds. */
export type Settings = JsonObject;

export type SessionView = {
  agentSessionId: string;
  kind: SessionKind;
  /** Empty for a root. */
  rootSessionId: string;
  rootTurnId: string;
  parentSessionId: string;
  parentTurnId: string;
  parentToolCallId: string;
  origin: string;
  agentTargetId: string;
  provider: string;
  /** Empty until the provider has named it. */
  providerSessionId: string;
  model: string;
  settings: Settings;
  cwd: string;
  railSectionKind: string;
  railProjectPath: string;
  railSectionKey: string;
  title: string;
  activeTurnId: string | null;
  isPinned: boolean;
  isVisible: boolean;
  /** Rises with every accepted change of a message (agent-host 2.1). */
  messageVersion: number;
  createdAtUnixMs: number;
  /** Strictly rises. */
  updatedAtUnixMs: number;
};

export type TurnError = { code: string; message: string };

export type TurnView = {
  agentSessionId: string;
  turnId: string;
  /** From 1 in its session. */
  sequence: number;
  phase: TurnPhase;
  /** Present exactly where the phase is `settled`. */
  outcome: TurnOutcome | null;
  error: TurnError | null;
  origin: TurnOrigin;
  /** The provider's name of the turn; empty until it was accepted. */
  rootProviderTurnId: string;
  /** `{ files: [{ path, change, unifiedDiff }] }`, or null (cassette-contract 7.8). */
  fileChanges: JsonObject | null;
  /** `{ kind, status, finalAssistantMessageId, finalAssistantMessageResolved }` of a settled turn. */
  completedCommand: JsonObject | null;
};

export type MessageView = {
  agentSessionId: string;
  messageId: string;
  /** The value of the session's counter at its last change. */
  version: number;
  turnId: string | null;
  role: string;
  kind: string;
  status: string;
  payload: JsonObject;
  semantics: JsonObject | null;
};

/** Identity is session, turn and request: a provider counts requests anew in each turn. */
export type InteractionView = {
  agentSessionId: string;
  turnId: string;
  requestId: string;
  kind: InteractionKind;
  status: InteractionStatus;
  toolName: string;
  input: JsonObject;
  /** What was answered; null while pending. */
  output: JsonObject | null;
  metadata: JsonObject;
};

/** One session with everything in it, in the order of a capture (cassette-contract 7.2). */
export type SessionGraphView = { session: SessionView; turns: TurnView[]; messages: MessageView[]; interactions: InteractionView[] };
