/** The port by which the Host drives provider runtimes; an adapter behind it speaks one provider's protocol (agent-host 4.2). */

import type { JsonObject } from '../json/exact.ts';
import type { SessionRef, Settings } from './views.ts';

/** A prompt is a list of blocks; `text` is the only one that a window sends. */
export type ContentBlock = { type: 'text'; text: string };
/** The Host takes connectors too, by their key; one is enough alone, and a provider that has none may leave it out (agent-host 1.2). */
export type PromptBlock = ContentBlock | { type: 'connector'; key: string };

export type RuntimeStartInput = {
  ref: SessionRef;
  provider: string;
  cwd: string;
  settings: Settings;
  /** Nothing of the session may be reported before `publishInitialization` (initialization barrier). */
  isInitializationPending: true;
};

export type RuntimeResumeInput = Omit<RuntimeStartInput, 'isInitializationPending'> & {
  providerSessionId: string;
  resumeCheckpoint: JsonObject | null;
  /** An imported session may be made anew where the provider has lost it. */
  recreateIfMissing: boolean;
};

/** `isCreated` belongs to this call: only then may a failed create close the runtime again. */
export type RuntimeStartResult = { isCreated: boolean; providerSessionId: string; model: string; resumeCheckpoint: JsonObject | null };

export type ExecInput = {
  ref: SessionRef;
  turnId: string;
  clientSubmitId: string | null;
  content: readonly PromptBlock[];
  settings: Settings;
  /** True for every new turn: nothing of it is stored before the provider's identity is (acceptance barrier). */
  requireProviderAcceptance: boolean;
};

/** The disposition, not an error, says what the Host does (agent-host 5.4). */
export type ExecDisposition = 'applied' | 'applied_without_provider_turn' | 'rejected' | 'not_dispatched' | 'outcome_unknown';
export type ExecResult = { disposition: ExecDisposition; providerTurnId: string | null; error: { code: string; message: string } | null };

/**
 * `settled`: the exact turn has settled, and the terminal is committed. `target_absent`: the provider does not know the turn.
 * `unconfirmed`: nobody can say; the operation is kept and tried again (agent-host D3, D4).
 */
export type CancelResult = { state: 'settled' | 'target_absent' | 'unconfirmed' };

export type InteractiveDisposition = 'pending' | 'resolving' | 'answered' | 'superseded' | 'interrupted' | 'unknown';
export type InteractiveAnswer = { action: string; optionId: string | null; payload: JsonObject | null };

export type Runtime = {
  start: (input: RuntimeStartInput) => Promise<RuntimeStartResult>;
  /** Releases what was held, in order; again is a no-op. */
  publishInitialization: (ref: SessionRef) => void;
  resume: (input: RuntimeResumeInput) => Promise<RuntimeStartResult>;
  /** Whether the registry holds it; liveness is another question. */
  has: (ref: SessionRef) => boolean;
  isLive: (ref: SessionRef) => boolean;
  /** Throws `RuntimeError` for content the provider cannot take; no side effect. */
  validate: (ref: SessionRef, content: readonly PromptBlock[]) => void;
  exec: (input: ExecInput) => Promise<ExecResult>;
  /** Resolves when the exact turn has settled, or when that cannot be known. */
  cancel: (input: { ref: SessionRef; turnId: string }) => Promise<CancelResult>;
  respond: (input: { ref: SessionRef; turnId: string; requestId: string; answer: InteractiveAnswer }) => Promise<InteractiveDisposition>;
  /** Synchronous: what is known without asking. */
  dispositionOf: (input: { ref: SessionRef; turnId: string; requestId: string }) => InteractiveDisposition;
  updateSettings: (ref: SessionRef, settings: Settings) => Promise<Settings>;
  setTitle: (ref: SessionRef, title: string) => void;
  close: (ref: SessionRef, options: { preserveCanonical: boolean }) => Promise<void>;
  closeAll: () => Promise<void>;
};

/** A provider said no, or died; `code` is stable, the message a provider's own. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
