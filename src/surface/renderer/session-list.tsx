/** All sessions, the one that is shown marked, and the way to a new one. */

import { useId, type ReactNode } from 'react';
import type { Actions } from '../actions.ts';
import type { SessionEntry } from '../engine/shown.ts';
import { displayLine } from './display-text.ts';
import { entityAttributes } from './entity.ts';
import { focusMessage } from './focus-back.ts';

export function SessionList({ sessions, isNewShown, actions }: { sessions: readonly SessionEntry[]; isNewShown: boolean; actions: Actions }): ReactNode {
  return (
    <nav className="sessions" aria-label="Sessions">
      <button
        type="button"
        className="new-session"
        aria-current={isNewShown ? 'page' : undefined}
        onClick={() => {
          actions.showNewSession();
          focusMessage();
        }}
      >
        <span className="plus-sign" aria-hidden="true" />
        New session
      </button>
      <ul>
        {sessions.map((session) => (
          <SessionItem key={session.agentSessionId} session={session} actions={actions} />
        ))}
      </ul>
    </nav>
  );
}

// The dot's words describe the button; its name is the session's title alone.
function SessionItem({ session, actions }: { session: SessionEntry; actions: Actions }): ReactNode {
  const id = useId();
  const dot = dotOf(session);
  return (
    <li>
      <button
        type="button"
        className="session"
        aria-current={session.isSelected ? 'page' : undefined}
        aria-describedby={id}
        onClick={() => actions.select(session.agentSessionId)}
        {...entityAttributes({ kind: 'session', id: session.agentSessionId, sessionId: session.agentSessionId, status: session.status })}
      >
        <span className={`dot ${dot.className}`} aria-hidden="true" />
        <span className="session-title">{displayLine(session.title) || 'Untitled session'}</span>
      </button>
      <span id={id} className="visually-hidden">
        {dot.text}
      </span>
    </li>
  );
}

function dotOf(session: SessionEntry): { className: string; text: string } {
  if (session.needsApproval) return { className: 'asks', text: 'waits for approval' };
  if (session.isPending) return { className: 'works', text: 'starts' };
  if (session.status === 'working') return { className: 'works', text: 'works' };
  return session.hasFailed ? { className: 'failed', text: 'failed' } : { className: 'rests', text: 'ready' };
}
