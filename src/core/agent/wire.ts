/** What daemon and window say to each other over HTTP and its event stream (agent-host 4, replay-runtime 8). */

import type { JsonObject } from '../json/exact.ts';
import type { LanePlaceView } from '../control/lanes.ts';
import type { RemovedRows } from './delta.ts';
import type { ContentBlock } from './runtime.ts';
import type { InteractionView, MessageView, SessionGraphView, SessionView, Settings, TurnView } from './views.ts';

/** Given to the window before it asks anything: by the preload script, or by whoever opens the page. */
export type WindowBoot = { baseUrl: string; token: string };

/** `GET /v1/bootstrap` */
export type Bootstrap = {
  workspaceId: string;
  project: { path: string; name: string };
  agentTargets: { id: string; provider: string; title: string }[];
  /** Stand in a new session's settings unless the person changes them. */
  composerDefaults: Settings;
  /** Installs the bridge in the window where it is not `live`. */
  mode: 'live' | 'record' | 'replay';
  recordingId: string | null;
  cassetteId: string | null;
};

/** `POST /v1/workspaces/{w}/agent-sessions`, 201 with `CreatedSession`. */
export type CreateSessionBody = {
  agentSessionId: string;
  agentTargetId: string;
  cwd: string;
  settings: Settings;
  title?: string;
  visible?: boolean;
  railPlacement?: { version: 1; kind: 'project' | 'conversations'; projectPath?: string };
  initialContent?: ContentBlock[];
  initialDisplayPrompt?: string;
  clientSubmitId?: string;
};
export type CreatedSession = { session: SessionView; turnId: string | null };

/** `POST …/{s}/input`, 200 `{ turnId }` */
export type SendBody = { content: ContentBlock[]; displayPrompt?: string; clientSubmitId: string; settings?: Settings };
/** `POST …/{s}/turns/{t}/cancel`, no body, 200 */
export type CancelReply = { state: 'not_found' | 'already_settled' | 'cancel_requested' | 'settled'; outcome: string | null };
/** `POST …/{s}/interactives/{r}/response`, 200 `{ status }` */
export type RespondBody = { turnId: string; action: string; optionId?: string; payload?: JsonObject };
export type RespondReply = { status: 'answered' | 'superseded' };
/** `POST …/{s}/settings`, body = settings, 200 `{ settings }` */

/** Every failure: the HTTP status says the class, `code` is stable (replay-runtime 8). */
export type ErrorBody = { error: { code: string; reason?: string; message: string } };

/**
 * One event of `GET /v1/events`, as `data:` of an SSE message. The first one is a snapshot; a window that lost the stream opens
 * it again and starts from a new one.
 * `lanes` is there where the change belongs to a handled provider unit, also where no row changed (desktop-order b6).
 */
export type WindowEvent =
  | { type: 'snapshot'; revision: number; lanes: LanePlaceView[]; sessions: SessionGraphView[] }
  | { type: 'change'; revision: number; lanes?: LanePlaceView[]; sessions: SessionView[]; turns: TurnView[]; messages: MessageView[]; appends: MessageAppend[]; interactions: InteractionView[]; removed?: RemovedRows };

/** A streamed message grew: its text, and its version after that. */
export type MessageAppend = { agentSessionId: string; messageId: string; version: number; text: string };

/** Header of a command in replay and record: which recorded or recording command this request is (desktop-order b2). */
export const commandHeader = 'x-playhead-command';
/** Beside it: the event that the command follows from. */
export const causeHeader = 'x-playhead-cause';
