/** What the engine asks the daemon for, and what came of it (replay-runtime 5.1, cassette-contract 3.5). */

import type { JsonObject } from '../../core/json/exact.ts';

export type CommandType = 'session/activate' | 'queue/sendPrompt' | 'turn/cancel' | 'interaction/respond' | 'session/updateSettings';

/** `correlationId` is the primary correlation of the intent that caused it. */
export type EngineCommand = { type: CommandType; commandId: string; agentSessionId: string; correlationId: string; payload: JsonObject };

export type CommandOutcome = {
  outcome: 'succeeded' | 'failed' | 'timedOut';
  errorCode?: string;
  errorReason?: string;
  errorMessage?: string;
  /** `{ turnId }` of a prompt that was taken; the reply of the daemon otherwise. Holds no path of this machine. */
  value?: JsonObject;
};
