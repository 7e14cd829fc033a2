/** Failures, each said once, in words, with the one thing to do. */

import type { ReactNode } from 'react';
import type { Actions } from '../actions.ts';
import type { Connection } from '../engine/state.ts';
import type { FailureEntry } from '../engine/shown.ts';
import { displayLine, displayText } from './display-text.ts';
import { useFocusBack } from './focus-back.ts';

export function Alert({ title, message, children }: { title: string; message: string; children?: ReactNode }): ReactNode {
  const alert = useFocusBack<HTMLDivElement>();
  return (
    <div ref={alert} className="alert" role="alert">
      <p className="alert-title">{displayLine(title)}</p>
      <p className="prose">{displayText(message)}</p>
      {children}
    </div>
  );
}

export function Failures({ failures, connection, actions }: { failures: readonly FailureEntry[]; connection: Connection; actions: Actions }): ReactNode {
  return (
    <>
      {failures.map(({ failureId, title, message }) => (
        <Alert key={failureId} title={title} message={message}>
          <button type="button" onClick={() => actions.dismissFailure(failureId)}>
            Dismiss
          </button>
        </Alert>
      ))}
      {connection === 'lost' ? <Alert title="Disconnected" message="The daemon does not answer. What you see is the last that it said; this window tries to reach it again." /> : null}
      {connection === 'broken' ? <Alert title="This window has stopped" message="It could not take in what the daemon told it. What you see is the last that it understood; open the window again to go on." /> : null}
    </>
  );
}

/** The whole page, where there is no app to show. */
export function FailurePage({ title, message }: { title: string; message: string }): ReactNode {
  return (
    <main className="failure-page">
      <Alert title={title} message={message} />
    </main>
  );
}
