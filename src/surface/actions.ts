/** What a person can do in the window; ids and times are minted here, never in the engine (design ruling 11). */

import type { ContentBlock } from '../core/agent/runtime.ts';
import type { Engine } from './engine/engine.ts';
import type { RecordedIntent } from './engine/intent.ts';
import { isAnswerOpen, launchOf, settingsOf, shownSession } from './engine/lookup.ts';
import type { InteractionEntry } from './engine/shown.ts';
import type { SessionState } from './engine/state.ts';
import { windowLimits } from './limits.ts';

export type Actions = {
  /** Starts a session with this prompt, and shows it. */
  newSession: (text: string) => void;
  /** Sends to the shown session; starts one where none is shown. */
  send: (text: string) => void;
  /** Stops the shown session's turn; nothing where none runs. */
  stop: () => void;
  approve: (interaction: InteractionEntry, options?: { forSession?: boolean }) => void;
  decline: (interaction: InteractionEntry) => void;
  removeQueued: (promptId: string) => void;
  /** Sends the failed head of the shown session's queue again. */
  resend: () => void;
  select: (agentSessionId: string) => void;
  /** Shows an empty composer, for a new session. */
  showNewSession: () => void;
  /** Of the shown session, or of the next new one. */
  setSetting: (name: string, value: string) => void;
  dismissFailure: (failureId: string) => void;
};

export type Mint = { now: () => number; newId: () => string };

/** Binds the actions to an engine; what cannot be done now does nothing. */
export function createActions(engine: Engine, mint: Mint): Actions {
  const { dispatch, getSnapshot } = engine;
  const start = (text: string): void => dispatch(startWith({ agentSessionId: mint.newId(), text, launch: launchOf(getSnapshot()), mint }));
  const answer = ({ agentSessionId, turnId, requestId }: InteractionEntry, option: string): void => {
    // A second click finds the answer on its way, or the question gone.
    if (!isAnswerOpen(getSnapshot(), { agentSessionId, turnId, requestId })) return;
    dispatch({ type: 'interaction/responseRequested', agentSessionId, commandId: mint.newId(), turnId, requestId, action: option, optionId: option });
  };
  return {
    newSession: start,
    send: (text) => {
      const session = shownSession(getSnapshot());
      if (session) dispatch(submission({ session, content: textContent(text), mint }));
      else start(text);
    },
    stop: () => {
      const session = shownSession(getSnapshot());
      const turnId = session?.graph?.session.activeTurnId;
      if (!session || !turnId || session.cancels.some((cancel) => cancel.turnId === turnId)) return;
      dispatch({ type: 'session/stopRequested', agentSessionId: session.agentSessionId, commandId: mint.newId(), turnId, awaitingTurnExpiresAtUnixMs: mint.now() + windowLimits.stopExpiryMs });
    },
    approve: (interaction, options) => answer(interaction, options?.forSession ? 'approve_for_session' : 'approve'),
    decline: (interaction) => answer(interaction, 'deny'),
    removeQueued: (promptId) => {
      const session = shownSession(getSnapshot());
      if (session) dispatch({ type: 'queue/removed', agentSessionId: session.agentSessionId, promptId });
    },
    resend: () => {
      const session = shownSession(getSnapshot());
      const again = session && secondTry(session, mint);
      if (again) dispatch(again);
    },
    select: (agentSessionId) => dispatch({ type: 'view/selected', agentSessionId }),
    showNewSession: () => dispatch({ type: 'view/newSession' }),
    setSetting: (name, value) => {
      const session = shownSession(getSnapshot());
      if (session?.graph) dispatch({ type: 'session/settingsUpdateRequested', agentSessionId: session.agentSessionId, commandId: mint.newId(), settings: { ...settingsOf(getSnapshot(), session), [name]: value } });
      // Of a session that starts nothing can be changed yet, and the next new one is not meant.
      else if (!session) dispatch({ type: 'view/composerChanged', settings: { [name]: value } });
    },
    dismissFailure: (failureId) => dispatch({ type: 'failure/dismissed', failureId }),
  };
}

/** A prompt that failed goes out under a new id: under the old one the daemon would only say again what became of it. */
function secondTry(session: SessionState, mint: Mint): RecordedIntent | null {
  const { agentSessionId, activation, queue } = session;
  if (activation?.phase === 'failed' && activation.prompt) return startIntent({ agentSessionId, content: activation.prompt.content, launch: activation.launch, mint });
  const head = queue[0];
  return head?.failure ? { ...submission({ session, content: head.content, mint }), replaces: head.promptId } : null;
}

type Starting = { agentSessionId: string; launch: SessionLaunch; mint: Mint };
type SessionLaunch = ReturnType<typeof launchOf>;

function startWith({ text, ...starting }: Starting & { text: string }): RecordedIntent {
  const launch = { ...starting.launch, title: titleOf(text) };
  return startIntent({ ...starting, launch, content: textContent(text) });
}

function startIntent({ agentSessionId, launch, content, mint }: Starting & { content: readonly ContentBlock[] }): RecordedIntent {
  const { agentTargetId, cwd, settings, title, railPlacement } = launch;
  return {
    type: 'activation/requested', agentSessionId, requestId: mint.newId(), clientSubmitId: mint.newId(), mode: 'new', agentTargetId, cwd, settings,
    ...(title ? { title } : {}), visible: true, ...(railPlacement ? { railPlacement } : {}), initialContent: [...content], ...expiry(mint),
  };
}

function submission({ session, content, mint }: { session: SessionState; content: readonly ContentBlock[]; mint: Mint }): Extract<RecordedIntent, { type: 'submit/requested' }> {
  return { type: 'submit/requested', agentSessionId: session.agentSessionId, clientSubmitId: mint.newId(), content: [...content], ...expiry(mint) };
}

function expiry({ now }: Mint): { requestedAtUnixMs: number; expiresAtUnixMs: number } {
  const requestedAtUnixMs = now();
  return { requestedAtUnixMs, expiresAtUnixMs: requestedAtUnixMs + windowLimits.requestExpiryMs };
}

function textContent(text: string): ContentBlock[] {
  return [{ type: 'text', text }];
}

function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > windowLimits.titleLengthMax ? `${line.slice(0, windowLimits.titleLengthMax - 1)}…` : line;
}
