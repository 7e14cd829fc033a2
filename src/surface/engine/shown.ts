/** What the selectors give to the renderer: plain values, ready to be shown. */

import type { JsonObject } from '../../core/json/exact.ts';

export type WindowStatus = 'ready' | 'starting' | 'working' | 'waiting for approval' | 'failed' | 'disconnected';

export type SessionEntry = {
  agentSessionId: string;
  title: string;
  /** `data-status` of the session. */
  status: 'ready' | 'working';
  isSelected: boolean;
  /** The daemon does not know it yet. */
  isPending: boolean;
  needsApproval: boolean;
  /** Its last turn, its start or the head of its queue failed. */
  hasFailed: boolean;
};

/** One turn with everything in it, in order; `turnId` is null for prompts that are on their way, and for messages without a turn. */
export type TranscriptTurn = {
  /** Stable, for lists. */
  key: string;
  agentSessionId: string;
  turnId: string | null;
  /** `data-status` of the turn: its phase, or how it ended; `pending` without a turn. */
  status: string;
  isActive: boolean;
  error: { code: string; message: string } | null;
  files: FileChangeEntry[];
  entries: TranscriptEntry[];
  /** All of this turn, answered ones too: a window must be able to show that one was answered. */
  interactions: InteractionEntry[];
};

/** `change` is `added`, `modified` or `deleted`. */
export type FileChangeEntry = { path: string; change: string; unifiedDiff: string };

type EntryBase = {
  /** Stable while its text grows. */
  key: string;
  agentSessionId: string;
  turnId: string | null;
  /** `data-id` of the message; null for a prompt on its way, which is no entity yet. */
  messageId: string | null;
  /** `data-status` of the message; of a prompt on its way `sending`. */
  status: string;
};

export type TranscriptEntry =
  | (EntryBase & { kind: 'user'; text: string; isPending: boolean })
  | (EntryBase & { kind: 'assistant' | 'reasoning'; text: string; isStreaming: boolean })
  | (EntryBase & { kind: 'tool'; tool: ToolEntry })
  | (EntryBase & { kind: 'notice'; text: string; code: string });

export type ToolEntry = {
  callId: string;
  /** `command`, `file_change`, or the provider's item type. */
  name: string;
  title: string;
  status: 'in_progress' | 'completed' | 'failed' | 'declined' | (string & {});
  /** `{ command, cwd }`, `{ changes: [{ path, kind, diff }] }`, or what the tool has. */
  input: JsonObject;
  /** `{ text, exitCode }`, or null while there is none. */
  output: JsonObject | null;
};

export type InteractionEntry = {
  agentSessionId: string;
  turnId: string;
  /** `data-id` */
  requestId: string;
  kind: 'approval' | 'question' | 'plan';
  /** `data-status`; `pending` ones ask, the others say how it ended. */
  status: 'pending' | 'answered' | 'superseded';
  /** The option that was answered; null while pending. */
  answer: string | null;
  toolName: string;
  title: string;
  command: string | null;
  cwd: string | null;
  reason: string | null;
  changes: { path: string; kind: string; diff: string }[];
  /** Of `approve`, `approve_for_session`, `deny`, `abort`. */
  options: string[];
  /** An answer is on its way: the buttons are off. */
  isAnswering: boolean;
};

export type QueueEntry = {
  promptId: string;
  text: string;
  /** It could not be sent: nothing behind it goes out until it is sent again or removed. */
  isFailed: boolean;
  failure: string | null;
};

export type FailureEntry = { failureId: string; agentSessionId: string | null; code: string; title: string; message: string };

export type ComposerView = {
  agentSessionId: string | null;
  /** Of the session with changes on their way, or for the next new one; text values only. */
  settings: { [name: string]: string };
  /** A session that starts has its settings already, and cannot be given others yet. */
  canSet: boolean;
  /** A turn runs that can be stopped. */
  canStop: boolean;
  /** A stop is on its way. */
  isStopping: boolean;
  /** A prompt that is sent now would wait in the queue. */
  queuesSubmit: boolean;
};

