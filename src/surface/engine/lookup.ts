/** Small questions about the state that more than one part of the window asks. */

import type { Settings } from '../../core/agent/views.ts';
import type { EngineState, Launch, SessionState } from './state.ts';

export function shownSession({ sessions, selectedId }: EngineState): SessionState | null {
  return selectedId === null ? null : (sessions[selectedId] ?? null);
}

/** How the next new session is started: in the project folder, with the composer's settings. */
export function launchOf({ agentTargetId, project, composer }: EngineState): Launch {
  return { agentTargetId, cwd: project.path, settings: composer, title: null, railPlacement: { version: 1, kind: 'project', projectPath: project.path } };
}

/** Whether this question waits, and no answer is on its way. */
export function isAnswerOpen({ sessions }: EngineState, question: { agentSessionId: string; turnId: string; requestId: string }): boolean {
  const isSame = (other: { turnId: string; requestId: string }) => other.turnId === question.turnId && other.requestId === question.requestId;
  const session = sessions[question.agentSessionId];
  return (session?.graph?.interactions.some((row) => row.status === 'pending' && isSame(row)) ?? false) && !session?.answers.some(isSame);
}

/** Settings of a session with the changes that are on their way; of the next new one without. */
export function settingsOf(state: EngineState, session: SessionState | null): Settings {
  if (!session) return state.composer;
  const known = session.graph?.session.settings ?? session.activation?.launch.settings ?? state.composer;
  return session.settingsUpdates.reduce((settings, update) => ({ ...settings, ...update.settings }), known);
}
