/** What happens to the engine: a person's intents, which are recorded, and what the window itself reports (replay-runtime 5.1). */

import type { ContentBlock } from '../../core/agent/runtime.ts';
import type { WindowEvent } from '../../core/agent/wire.ts';
import type { Settings } from '../../core/agent/views.ts';
import type { JsonObject } from '../../core/json/exact.ts';
import type { CommandOutcome, CommandType } from './command.ts';
import type { Connection } from './state.ts';

export type ActivationRequested = {
  type: 'activation/requested';
  agentSessionId: string;
  requestId: string;
  clientSubmitId: string;
  mode: 'new';
  agentTargetId: string;
  cwd: string;
  settings: Settings;
  title?: string;
  visible?: boolean;
  railPlacement?: JsonObject;
  initialContent?: ContentBlock[];
  initialDisplayPrompt?: string;
  requestedAtUnixMs: number;
  expiresAtUnixMs: number;
};

export type SubmitRequested = {
  type: 'submit/requested';
  agentSessionId: string;
  clientSubmitId: string;
  content: ContentBlock[];
  displayPrompt?: string;
  /** The prompt takes the place of this one, which could not be sent. */
  replaces?: string;
  /** The engine writes it, before observers see the intent (cassette-contract 3.6). */
  submitDiagnostics?: { queued: boolean };
  requestedAtUnixMs: number;
  expiresAtUnixMs: number;
};

export type SubmitCanceled = { type: 'submit/canceled'; agentSessionId: string; clientSubmitId: string };
export type QueueRemoved = { type: 'queue/removed'; agentSessionId: string; promptId: string };
/** Without `turnId` it means the turn that is active when it is dispatched. */
export type StopRequested = { type: 'session/stopRequested'; agentSessionId: string; commandId: string; turnId?: string; awaitingTurnExpiresAtUnixMs: number };
export type ResponseRequested = { type: 'interaction/responseRequested'; agentSessionId: string; commandId: string; turnId: string; requestId: string; action: string; optionId?: string; payload?: JsonObject };
export type SettingsUpdateRequested = { type: 'session/settingsUpdateRequested'; agentSessionId: string; commandId: string; settings: Settings };

/** Intents of a person that change something for the daemon: what a recording holds. */
export type RecordedIntent = ActivationRequested | SubmitRequested | SubmitCanceled | QueueRemoved | StopRequested | ResponseRequested | SettingsUpdateRequested;

export type CommandResulted = { type: 'engine/commandResult'; commandId: string; commandType: CommandType; agentSessionId: string } & CommandOutcome;

/** Facts of the daemon, and what a person only looks at. */
export type InternalIntent =
  | { type: 'canonical/snapshot'; event: Extract<WindowEvent, { type: 'snapshot' }> }
  | { type: 'canonical/changed'; event: Extract<WindowEvent, { type: 'change' }> }
  | CommandResulted
  | { type: 'view/selected'; agentSessionId: string }
  | { type: 'view/newSession' }
  | { type: 'view/composerChanged'; settings: Settings }
  | { type: 'connection/changed'; connection: Connection }
  | { type: 'failure/dismissed'; failureId: string };

export type Intent = RecordedIntent | InternalIntent;

/** Whether this engine knows such an intent of a person. */
export function isRecordedType(type: string): type is RecordedIntent['type'] {
  return recordedTypes.has(type);
}

const recordedTypes = new Set<string>([
  'activation/requested',
  'submit/requested',
  'submit/canceled',
  'queue/removed',
  'session/stopRequested',
  'interaction/responseRequested',
  'session/settingsUpdateRequested',
] satisfies RecordedIntent['type'][]);
