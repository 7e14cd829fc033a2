/** The engine's state as the renderer shows it; every selector is pure and is asked again after each change. */

import type { ComposerView, FailureEntry, InteractionEntry, QueueEntry, SessionEntry, TranscriptTurn, WindowStatus } from './shown.ts';
import { settingsOf, shownSession } from './lookup.ts';
import { queuesSubmit } from './queue.ts';
import type { EngineState, Failure, Prompt, SessionState } from './state.ts';
import { interactionEntry, promptText, transcriptOf } from './transcript.ts';

export type * from './shown.ts';

/** Root sessions, newest first; one that is being started is the newest. */
export function selectSessions(state: EngineState): SessionEntry[] {
  const roots = Object.values(state.sessions).filter(({ graph }) => graph === null || (graph.session.kind === 'root' && graph.session.isVisible));
  return roots.toSorted((a, b) => createdAt(b) - createdAt(a)).map((session) => sessionEntry(state, session));
}

/** The turns of the shown session, in order, with the prompt that is on its way. */
export function selectTranscript(state: EngineState): TranscriptTurn[] {
  const session = shownSession(state);
  return session ? transcriptOf(session) : [];
}

/** Questions of the shown session that wait for an answer. */
export function selectInteractions(state: EngineState): InteractionEntry[] {
  const session = shownSession(state);
  return session ? pendingInteractions(session).map((row) => interactionEntry(session, row)) : [];
}

/** Prompts that wait; the first one may have failed. */
export function selectQueue(state: EngineState): QueueEntry[] {
  const session = shownSession(state);
  if (!session) return [];
  const start = session.activation?.phase === 'failed' ? session.activation.prompt : null;
  return [...(start ? [start] : []), ...session.queue].map(queueEntry);
}

/** The one word for what the window does. */
export function selectStatus(state: EngineState): WindowStatus {
  if (state.connection === 'lost') return 'disconnected';
  if (state.connection === 'broken') return 'failed';
  if (state.connection === 'connecting') return 'starting';
  const session = shownSession(state);
  if (!session) return 'ready';
  if (session.activation?.phase === 'failed') return 'failed';
  if (!session.graph) return 'starting';
  if (pendingInteractions(session).length > 0) return 'waiting for approval';
  if (session.graph.session.activeTurnId !== null || session.activation || session.sending || session.sent) return 'working';
  return hasFailed(session) ? 'failed' : 'ready';
}

/** What went wrong and was neither dismissed nor mended, oldest first. */
export function selectFailures(state: EngineState): FailureEntry[] {
  return state.failures.map(({ failureId, agentSessionId, code, message, what }) => ({ failureId, agentSessionId, code, title: failureTitles[what], message }));
}

export function selectComposer(state: EngineState): ComposerView {
  const session = shownSession(state);
  const activeTurnId = session?.graph?.session.activeTurnId ?? null;
  return {
    agentSessionId: state.selectedId,
    settings: textsOf(settingsOf(state, session)),
    canSet: !session || session.graph !== null,
    canStop: activeTurnId !== null,
    isStopping: session?.cancels.some(({ turnId }) => turnId === activeTurnId) ?? false,
    queuesSubmit: session ? queuesSubmit(session) : false,
  };
}

function sessionEntry(state: EngineState, session: SessionState): SessionEntry {
  const { agentSessionId, graph, activation } = session;
  const isWorking = graph ? graph.session.activeTurnId !== null : activation?.phase !== 'failed';
  return {
    agentSessionId,
    title: titleOf(session),
    status: isWorking ? 'working' : 'ready',
    isSelected: state.selectedId === agentSessionId,
    isPending: graph === null,
    needsApproval: pendingInteractions(session).length > 0,
    hasFailed: hasFailed(session),
  };
}

function titleOf({ graph, activation }: SessionState): string {
  return graph?.session.title || activation?.launch.title || (activation?.prompt ? promptText(activation.prompt) : '') || 'New session';
}

function createdAt({ graph }: SessionState): number {
  return graph?.session.createdAtUnixMs ?? Number.MAX_SAFE_INTEGER;
}

function pendingInteractions({ graph }: SessionState) {
  return graph?.interactions.filter(({ status }) => status === 'pending') ?? [];
}

function hasFailed({ graph, activation, queue }: SessionState): boolean {
  return activation?.phase === 'failed' || (queue[0]?.failure ?? null) !== null || graph?.turns.at(-1)?.outcome === 'failed';
}

function queueEntry(prompt: Prompt): QueueEntry {
  const { promptId, failure } = prompt;
  return { promptId, text: promptText(prompt), isFailed: failure !== null, failure: failure && (failure.message || failure.code) };
}

function textsOf(settings: EngineState['composer']): { [name: string]: string } {
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

const failureTitles: { [What in Failure['what']]: string } = {
  start: 'The session could not be started',
  send: 'The message could not be sent',
  stop: 'The turn could not be stopped',
  answer: 'The answer could not be given',
  settings: 'The settings could not be changed',
};
