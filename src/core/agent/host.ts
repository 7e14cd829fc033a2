/** The Agent Host as its callers see it: HTTP handlers, recording and replay compositions (seed 002, agent-host 1). */

import type { Json, JsonObject } from '../json/exact.ts';
import type { CommitObserver } from './delta.ts';
import type { ActivitySink } from './report.ts';
import type { InteractiveAnswer, PromptBlock } from './runtime.ts';
import type { SessionGraphView, SessionRef, SessionView, Settings, TurnOutcome, TurnView } from './views.ts';

export type CreateInput = {
  ref: SessionRef;
  agentTargetId: string;
  provider: string;
  cwd: string;
  settings: Settings;
  title?: string;
  /** Default true. */
  isVisible?: boolean;
  railPlacement?: { version: 1; kind: 'project' | 'conversations'; projectPath?: string };
  initialContent?: readonly PromptBlock[];
  displayPrompt?: string;
  clientSubmitId?: string;
  /** Overridden by `clientSubmitId` where both are there. */
  metadata?: JsonObject;
};

export type SendInput = {
  ref: SessionRef;
  content: readonly PromptBlock[];
  displayPrompt?: string;
  clientSubmitId?: string;
  metadata?: JsonObject;
  settings?: Settings;
};

export type RespondInput = { ref: SessionRef; turnId: string; requestId: string; answer: InteractiveAnswer };
export type CancelOutcome = { state: 'not_found' | 'already_settled' | 'cancel_requested' | 'settled'; outcome: TurnOutcome | null; operationId: string | null };

/** Rejections are `HostError`s. Every command is safe to repeat with its own id. */
export type AgentHost = {
  create: (input: CreateInput) => Promise<{ session: SessionView; turnId: string | null }>;
  /** Makes the runtime of a stored session live again, where the resume policy allows it. */
  ensure: (ref: SessionRef) => Promise<SessionView>;
  send: (input: SendInput) => Promise<{ turnId: string }>;
  respond: (input: RespondInput) => Promise<{ status: 'answered' | 'superseded'; operationId: string }>;
  /** Returns when the exact turn has settled. */
  cancel: (ref: SessionRef, turnId: string) => Promise<CancelOutcome>;
  updateSettings: (ref: SessionRef, settings: Settings) => Promise<Settings>;
  updateTitle: (ref: SessionRef, title: string) => Promise<SessionView>;
  updatePin: (ref: SessionRef, isPinned: boolean) => Promise<SessionView>;
  session: (ref: SessionRef) => SessionView | null;
  graph: (ref: SessionRef) => SessionGraphView | null;
  /** Visible sessions of a workspace, newest first, each with everything in it; `includeHidden` gives the others too (default false). */
  graphs: (workspaceId: string, options?: { includeHidden?: boolean }) => SessionGraphView[];
  /** Newest first; `before` is exclusive. */
  listTurns: (ref: SessionRef, page: { limit: number; before?: string }) => { turns: TurnView[]; hasMore: boolean };
  /** Root and live descendants: whether nothing is active. */
  isSettled: (root: SessionRef) => boolean;
  observe: (observer: CommitObserver) => () => void;
  sink: ActivitySink;
  /** The settled graph as `tutti.agent-session-replay-state.v1`, with this machine's paths (agent-host 1.10, cassette-contract 7). */
  capture: (root: SessionRef) => Json;
  /** Puts a captured graph into an empty store; before `recover`. Again with an equal graph changes nothing. */
  restore: (input: { workspaceId: string; userId: string; state: Json }) => void;
  /** What a crash left open: operations first, then stale turns. Gives the names of its steps. */
  recover: () => Promise<string[]>;
  /** Closes runtimes and store. */
  close: () => Promise<void>;
};

export const hostErrors = {
  invalid_argument: 400,
  rail_placement_conflict: 409,
  session_not_found: 404,
  turn_not_found: 404,
  interaction_not_found: 404,
  provider_session_not_established: 409,
  submit_delivery_unknown: 502,
  submit_claim_turn_conflict: 409,
  turn_active: 409,
  session_title_too_long: 400,
  runtime_session_disconnected: 503,
  runtime_operation_in_progress: 409,
  runtime_operation_failed: 502,
  provider_rejected: 502,
  provider_start_timeout: 504,
  historical_state_unavailable: 409,
  historical_state_conflict: 409,
} as const;
export type HostErrorCode = keyof typeof hostErrors;

export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  /** The provider's own code, where one said no. */
  readonly reason: string | null;

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions & { reason?: string }) {
    super(message, options);
    this.code = code;
    this.reason = options?.reason ?? null;
  }
}
