/** Everything the window knows: canonical rows of the daemon, and what is on its way to it. */

import type { LanePlaceView } from '../../core/control/lanes.ts';
import type { ContentBlock } from '../../core/agent/runtime.ts';
import type { SessionGraphView, Settings } from '../../core/agent/views.ts';
import type { Bootstrap } from '../../core/agent/wire.ts';
import type { JsonObject } from '../../core/json/exact.ts';

/** `broken`: the window could not take in what the daemon told it, and reads no more. */
export type Connection = 'connecting' | 'open' | 'lost' | 'broken';

export type EngineState = {
  workspaceId: string;
  project: { path: string; name: string };
  agentTargetId: string;
  /** Settings of the next new session. */
  composer: Settings;
  connection: Connection;
  /** The last event of the stream that was applied, and the lanes behind it. */
  revision: number;
  lanes: readonly LanePlaceView[];
  sessions: { readonly [agentSessionId: string]: SessionState };
  /** Null shows an empty composer. */
  selectedId: string | null;
  failures: readonly Failure[];
};

export type SessionState = {
  agentSessionId: string;
  /** Null until the daemon has told of the session. Canonical rows win over everything below. */
  graph: SessionGraphView | null;
  /** The start of the session: from the request until it succeeded and the session is canonical. */
  activation: Activation | null;
  /** A failed prompt can only be its head, and suspends it: until the person removes it or sends it again. */
  queue: readonly Prompt[];
  /** The prompt whose send command has no result yet. */
  sending: Prompt | null;
  /** The daemon took it, and its row in the transcript is not there yet. */
  sent: Prompt | null;
  /** The turn of the last prompt that was taken: the next one waits until it is known and has settled. */
  awaitedTurnId: string | null;
  cancels: readonly { commandId: string; turnId: string }[];
  answers: readonly { commandId: string; turnId: string; requestId: string }[];
  settingsUpdates: readonly { commandId: string; settings: Settings }[];
};

/** `promptId` names it in the queue, `commandId` the command that carries it. */
export type Prompt = { promptId: string; clientSubmitId: string; commandId: string; content: readonly ContentBlock[]; displayPrompt: string | null; failure: CommandFailure | null };

export type Activation = { phase: 'requested' | 'taken' | 'failed'; commandId: string; prompt: Prompt | null; launch: Launch };

/** What a second try needs. */
export type Launch = { agentTargetId: string; cwd: string; settings: Settings; title: string | null; railPlacement: JsonObject | null };

export type CommandFailure = { code: string; reason: string | null; message: string };

export type Failure = CommandFailure & { failureId: string; agentSessionId: string; what: 'start' | 'send' | 'stop' | 'answer' | 'settings' };

/** The state before the stream has told anything (agent-host 4). */
export function createState(bootstrap: Pick<Bootstrap, 'workspaceId' | 'project' | 'agentTargets' | 'composerDefaults'>): EngineState {
  return {
    workspaceId: bootstrap.workspaceId,
    project: bootstrap.project,
    agentTargetId: bootstrap.agentTargets[0]?.id ?? '',
    composer: bootstrap.composerDefaults,
    connection: 'connecting',
    revision: 0,
    lanes: [],
    sessions: {},
    selectedId: null,
    failures: [],
  };
}

export function createSession(agentSessionId: string): SessionState {
  return { agentSessionId, graph: null, activation: null, queue: [], sending: null, sent: null, awaitedTurnId: null, cancels: [], answers: [], settingsUpdates: [] };
}

export function putSession(state: EngineState, session: SessionState): EngineState {
  return { ...state, sessions: { ...state.sessions, [session.agentSessionId]: session } };
}

export function dropSession(state: EngineState, agentSessionId: string): EngineState {
  const { [agentSessionId]: _gone, ...sessions } = state.sessions;
  return { ...state, sessions, selectedId: state.selectedId === agentSessionId ? null : state.selectedId };
}

/** The failure of a command that was made again, taken back, or overtaken is no longer shown. */
export function forgetFailure(state: EngineState, failureId: string): EngineState {
  return state.failures.some((failure) => failure.failureId === failureId) ? { ...state, failures: state.failures.filter((failure) => failure.failureId !== failureId) } : state;
}

/** The id of the row in which the daemon stores a prompt that a provider took. */
export function userMessageId(clientSubmitId: string): string {
  return `client-submit:user:${clientSubmitId}`;
}

/** Id of a prompt in the queue: derived, so that a recording names the same one again. */
export function promptIdOf(clientSubmitId: string): string {
  return `prompt:${clientSubmitId}`;
}
