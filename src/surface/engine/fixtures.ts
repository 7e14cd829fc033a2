/** Rows and intents for tests: every member that a test does not name is plain. */

import type { InteractionView, MessageView, SessionGraphView, SessionView, TurnView } from '../../core/agent/views.ts';
import type { WindowEvent } from '../../core/agent/wire.ts';
import type { ActivationRequested, Intent, SubmitRequested } from './intent.ts';
import { createState, userMessageId, type EngineState } from './state.ts';

export const bootstrap = {
  workspaceId: 'w',
  project: { path: '/project', name: 'project' },
  agentTargets: [{ id: 'local:codex', provider: 'codex', title: 'Codex' }],
  composerDefaults: { model: 'scripted', permissionModeId: 'ask', reasoningEffort: 'default', speed: 'standard' },
};

/** An engine whose stream is open. */
export function openState(): EngineState {
  return { ...createState(bootstrap), connection: 'open' };
}

export function sessionRow(row: Partial<SessionView> = {}): SessionView {
  return {
    agentSessionId: 's', kind: 'root', rootSessionId: '', rootTurnId: '', parentSessionId: '', parentTurnId: '', parentToolCallId: '', origin: 'runtime', agentTargetId: 'local:codex', provider: 'codex',
    providerSessionId: '', model: '', settings: bootstrap.composerDefaults, cwd: '/project', railSectionKind: 'project', railProjectPath: '/project', railSectionKey: 'project:/project', title: 'Say hello',
    activeTurnId: null, isPinned: false, isVisible: true, messageVersion: 0, createdAtUnixMs: 1, updatedAtUnixMs: 1, ...row,
  };
}

export function turnRow(row: Partial<TurnView> = {}): TurnView {
  return { agentSessionId: 's', turnId: 't1', sequence: 1, phase: 'running', outcome: null, error: null, origin: 'user_prompt', rootProviderTurnId: '', fileChanges: null, completedCommand: null, ...row };
}

export function messageRow(row: Partial<MessageView> = {}): MessageView {
  return { agentSessionId: 's', messageId: 'm1', version: 1, turnId: 't1', role: 'assistant', kind: 'text', status: 'running', payload: { text: '' }, semantics: null, ...row };
}

export function userRow(clientSubmitId: string, row: Partial<MessageView> = {}): MessageView {
  return messageRow({ messageId: userMessageId(clientSubmitId), role: 'user', status: 'completed', payload: { text: clientSubmitId, clientSubmitId }, ...row });
}

export function interactionRow(row: Partial<InteractionView> = {}): InteractionView {
  return { agentSessionId: 's', turnId: 't1', requestId: 'r1', kind: 'approval', status: 'pending', toolName: 'command', input: { toolCall: { toolCallId: 'c1', title: 'ls' }, command: 'ls' }, output: null, metadata: { options: ['approve', 'deny'] }, ...row };
}

export type Rows = { sessions?: SessionView[]; turns?: TurnView[]; messages?: MessageView[]; interactions?: InteractionView[] };

let revision = 0;
export function changed(rows: Partial<Extract<WindowEvent, { type: 'change' }>> = {}): Extract<Intent, { type: 'canonical/changed' }> {
  return { type: 'canonical/changed', event: { type: 'change', revision: ++revision, sessions: [], turns: [], messages: [], appends: [], interactions: [], ...rows } };
}

export function snapshot(...sessions: SessionGraphView[]): Extract<Intent, { type: 'canonical/snapshot' }> {
  return { type: 'canonical/snapshot', event: { type: 'snapshot', revision: ++revision, lanes: [], sessions } };
}

export function graph(rows: Rows = {}): SessionGraphView {
  return { session: rows.sessions?.[0] ?? sessionRow(), turns: rows.turns ?? [], messages: rows.messages ?? [], interactions: rows.interactions ?? [] };
}

/** A session starts with a prompt whose text is its id. */
export function activation(clientSubmitId = 'p1', intent: Partial<ActivationRequested> = {}): ActivationRequested {
  return {
    type: 'activation/requested', agentSessionId: 's', requestId: `start-${clientSubmitId}`, clientSubmitId, mode: 'new', agentTargetId: 'local:codex', cwd: '/project', settings: bootstrap.composerDefaults,
    title: clientSubmitId, visible: true, initialContent: [{ type: 'text', text: clientSubmitId }], requestedAtUnixMs: 1, expiresAtUnixMs: 2, ...intent,
  };
}

export function submit(clientSubmitId: string, intent: Partial<SubmitRequested> = {}): SubmitRequested {
  return { type: 'submit/requested', agentSessionId: 's', clientSubmitId, content: [{ type: 'text', text: clientSubmitId }], requestedAtUnixMs: 1, expiresAtUnixMs: 2, ...intent };
}

export function activated(turnId = 't1', clientSubmitId = 'p1'): Intent {
  return { type: 'engine/commandResult', commandId: `activate:start-${clientSubmitId}`, commandType: 'session/activate', agentSessionId: 's', outcome: 'succeeded', value: { turnId } };
}

export function sent(clientSubmitId: string, turnId: string): Intent {
  return { type: 'engine/commandResult', commandId: `send:${clientSubmitId}`, commandType: 'queue/sendPrompt', agentSessionId: 's', outcome: 'succeeded', value: { turnId } };
}

export function failed(commandType: Extract<Intent, { type: 'engine/commandResult' }>['commandType'], commandId: string, errorCode = 'network'): Intent {
  return { type: 'engine/commandResult', commandId, commandType, agentSessionId: 's', outcome: 'failed', errorCode, errorMessage: 'Cannot reach the daemon' };
}

/** A turn opens, with the row of its prompt; and it settles. */
export function opened(turnId: string, sequence: number, clientSubmitId: string): Intent {
  return changed({ sessions: [sessionRow({ activeTurnId: turnId, updatedAtUnixMs: sequence * 10 })], turns: [turnRow({ turnId, sequence })], messages: [userRow(clientSubmitId, { turnId })] });
}

export function settled(turnId: string, sequence: number, outcome: TurnView['outcome'] = 'completed'): Intent {
  return changed({ sessions: [sessionRow({ activeTurnId: null, updatedAtUnixMs: sequence * 10 + 1 })], turns: [turnRow({ turnId, sequence, phase: 'settled', outcome })] });
}
