/** What a person's intents do (replay-runtime 5.2). An intent that must have an effect always makes its command. */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import { pickStable } from '../../core/activity/stable-fields.ts';
import type { EngineCommand } from './command.ts';
import type { ActivationRequested, ResponseRequested, SettingsUpdateRequested, StopRequested, SubmitRequested } from './intent.ts';
import { createSession, dropSession, forgetFailure, promptIdOf, putSession, type Activation, type EngineState, type Prompt } from './state.ts';

export type Step = { state: EngineState; commands: EngineCommand[] };

/** Starts a session, or starts again one that could not be started; shows it. */
export function requestActivation(state: EngineState, intent: ActivationRequested): Step {
  const { agentSessionId, requestId, clientSubmitId, initialContent, initialDisplayPrompt } = intent;
  const commandId = `activate:${requestId}`;
  const session = state.sessions[agentSessionId] ?? createSession(agentSessionId);
  const prompt = initialContent ? createPrompt({ clientSubmitId, commandId, content: initialContent, displayPrompt: initialDisplayPrompt }) : null;
  const launch = { agentTargetId: intent.agentTargetId, cwd: intent.cwd, settings: intent.settings, title: intent.title ?? null, railPlacement: intent.railPlacement ?? null };
  const forgotten = session.activation ? forgetFailure(state, session.activation.commandId) : state;
  const next = putSession(forgotten, { ...session, activation: { phase: 'requested', commandId, prompt, launch } });
  const payload = pickStable('session/activate', intent as unknown as JsonObject);
  return { state: { ...next, selectedId: agentSessionId }, commands: [{ type: 'session/activate', commandId, agentSessionId, correlationId: clientSubmitId || requestId, payload }] };
}

/** Puts a prompt into the queue; it leaves it in the same step where nothing is in its way. */
export function requestSubmit(state: EngineState, intent: SubmitRequested): EngineState {
  const { agentSessionId, clientSubmitId, content, displayPrompt, replaces } = intent;
  const session = state.sessions[agentSessionId] ?? createSession(agentSessionId);
  const prompt = createPrompt({ clientSubmitId, commandId: `send:${clientSubmitId}`, content, displayPrompt });
  const replaced = session.queue.find(({ promptId }) => promptId === replaces);
  const queue = replaced ? session.queue.map((queued) => (queued === replaced ? prompt : queued)) : [...session.queue, prompt];
  return putSession(replaced ? forgetFailure(state, replaced.commandId) : state, { ...session, queue });
}

/** Takes a prompt out of the queue. One that is on its way cannot be taken back. */
export function removePrompt(state: EngineState, agentSessionId: string, promptId: string): EngineState {
  const session = state.sessions[agentSessionId];
  if (!session) return state;
  const { activation } = session;
  if (activation?.phase === 'failed' && activation.prompt?.promptId === promptId) return removeStart(state, agentSessionId, activation);
  const removed = session.queue.find((prompt) => prompt.promptId === promptId);
  return removed ? putSession(forgetFailure(state, removed.commandId), { ...session, queue: session.queue.filter((prompt) => prompt !== removed) }) : state;
}

/** Cancels exactly one turn; a turn that is not active any more needs no stop. */
export function requestStop(state: EngineState, intent: StopRequested): Step {
  const { agentSessionId, commandId } = intent;
  const session = state.sessions[agentSessionId];
  const active = session?.graph?.session.activeTurnId ?? null;
  const turnId = intent.turnId ?? active;
  if (!session || turnId === null || turnId !== active || session.cancels.some((cancel) => cancel.turnId === turnId)) return { state, commands: [] };
  const next = putSession(state, { ...session, cancels: [...session.cancels, { commandId, turnId }] });
  return { state: next, commands: [{ type: 'turn/cancel', commandId, agentSessionId, correlationId: commandId, payload: { turnId } }] };
}

export function requestResponse(state: EngineState, intent: ResponseRequested): Step {
  const { agentSessionId, commandId, turnId, requestId, action, optionId, payload } = intent;
  const session = state.sessions[agentSessionId];
  const next = session ? putSession(state, { ...session, answers: [...session.answers, { commandId, turnId, requestId }] }) : state;
  const answer: JsonObject = { turnId, requestId, action, ...(optionId === undefined ? {} : { optionId }), ...(payload === undefined ? {} : { payload }) };
  return { state: next, commands: [{ type: 'interaction/respond', commandId, agentSessionId, correlationId: commandId, payload: answer }] };
}

export function requestSettings(state: EngineState, intent: SettingsUpdateRequested): Step {
  const { agentSessionId, commandId, settings } = intent;
  const session = state.sessions[agentSessionId];
  const next = session ? putSession(state, { ...session, settingsUpdates: [...session.settingsUpdates, { commandId, settings }] }) : state;
  return { state: next, commands: [{ type: 'session/updateSettings', commandId, agentSessionId, correlationId: commandId, payload: { settings: settings as Json } }] };
}

/** The session was never there: the next prompt takes the place of the first, so that nothing a person wrote is lost. */
function removeStart(state: EngineState, agentSessionId: string, activation: Activation): EngineState {
  const forgotten = forgetFailure(state, activation.commandId);
  const session = forgotten.sessions[agentSessionId];
  const [next, ...queue] = session?.queue ?? [];
  if (!session || !next) return dropSession(forgotten, agentSessionId);
  return putSession(forgotten, { ...session, queue, activation: { ...activation, prompt: { ...next, failure: activation.prompt?.failure ?? null } } });
}

function createPrompt(made: { clientSubmitId: string; commandId: string; content: Prompt['content']; displayPrompt: string | undefined }): Prompt {
  return { promptId: promptIdOf(made.clientSubmitId), failure: null, ...made, displayPrompt: made.displayPrompt ?? null };
}
