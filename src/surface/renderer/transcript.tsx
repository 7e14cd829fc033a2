/** The shown session from its first prompt to what is being said now. */

import { memo, type ReactNode } from 'react';
import type { Actions } from '../actions.ts';
import { Failures } from './failures.tsx';
import { ReadingPlaceContext, useEndOf } from './reading-place.ts';
import { Turn } from './turn.tsx';
import type { WindowView } from './view.ts';

/** Remembered: a key pressed in the composer changes nothing here. */
export const Transcript = memo(function Transcript({ view, actions }: { view: WindowView; actions: Actions }): ReactNode {
  const { box, content, isAtEnd, toEnd, place } = useEndOf(`${view.composer.agentSessionId ?? ''} ${lastPrompt(view)}`);
  const isEmpty = view.turns.length === 0;
  return (
    <div className="reading">
      <div className="transcript" ref={box} role="log" aria-label="Transcript" aria-live="polite" tabIndex={0}>
        <div className="column" ref={content}>
          <ReadingPlaceContext value={place}>
            {isEmpty ? <Welcome isNew={view.composer.agentSessionId === null} /> : null}
            {view.turns.map((turn) => (
              <Turn key={turn.key} turn={turn} actions={actions} />
            ))}
            <Failures failures={view.failures} connection={view.connection} actions={actions} />
          </ReadingPlaceContext>
        </div>
      </div>
      {isAtEnd ? null : (
        <button
          type="button"
          className="to-end"
          onClick={() => {
            toEnd();
            // The button goes away, and the focus with it.
            box.current?.focus();
          }}
        >
          Jump to the end
        </button>
      )}
    </div>
  );
});

/** Whoever sends wants to see what comes of it. */
function lastPrompt(view: WindowView): string {
  return view.turns.flatMap((turn) => turn.entries).findLast((entry) => entry.kind === 'user')?.key ?? '';
}

function Welcome({ isNew }: { isNew: boolean }): ReactNode {
  return (
    <div className="welcome">
      <span className="mark" aria-hidden="true" />
      <h2>{isNew ? 'What shall we work on?' : 'Nothing has been said here yet'}</h2>
      <p>Describe a change, or ask about the project. Commands and edits wait for your approval.</p>
    </div>
  );
}
