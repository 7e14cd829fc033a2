/** The window: sessions beside the one that is shown. */

import { useState, type ReactNode } from 'react';
import type { Actions } from '../actions.ts';
import { Composer } from './composer.tsx';
import { displayLine } from './display-text.ts';
import { SessionList } from './session-list.tsx';
import { Transcript } from './transcript.tsx';
import type { WindowView } from './view.ts';

export function App({ view, actions }: { view: WindowView; actions: Actions }): ReactNode {
  const shown = view.composer.agentSessionId;
  // Every session keeps what was written for it and not sent.
  const [drafts, setDrafts] = useState<{ [session: string]: string }>({});
  const title = view.sessions.find((session) => session.isSelected)?.title ?? '';
  return (
    <div className="app">
      <SessionList sessions={view.sessions} isNewShown={shown === null} actions={actions} />
      <main>
        <header className="bar">
          <h1>{shown === null ? 'New session' : displayLine(title) || 'Untitled session'}</h1>
          <p className="status" role="status" data-shows={view.status}>
            {view.status}
          </p>
        </header>
        <Transcript view={view} actions={actions} />
        <div className="dock">
          <Composer view={view} actions={actions} draft={drafts[shown ?? ''] ?? ''} onDraft={(text) => setDrafts({ ...drafts, [shown ?? '']: text })} />
        </div>
      </main>
    </div>
  );
}
