/** Prompts that wait for the running turn to end. */

import type { ReactNode } from 'react';
import type { Actions } from '../actions.ts';
import type { QueueEntry } from '../engine/shown.ts';
import { displayLine } from './display-text.ts';
import { useFocusBack } from './focus-back.ts';

export function Queue({ queue, actions }: { queue: readonly QueueEntry[]; actions: Actions }): ReactNode {
  if (queue.length === 0) return null;
  return (
    <ol className="queue" aria-label="Queue">
      {queue.map((prompt) => (
        <QueueItem key={prompt.promptId} prompt={prompt} actions={actions} />
      ))}
    </ol>
  );
}

function QueueItem({ prompt, actions }: { prompt: QueueEntry; actions: Actions }): ReactNode {
  const item = useFocusBack<HTMLLIElement>();
  const text = displayLine(prompt.text);
  return (
    <li ref={item}>
      <span className="queued-text">{text}</span>
      {prompt.isFailed ? <span className="bad">{`Not sent: ${displayLine(prompt.failure ?? 'the daemon refused it')}`}</span> : null}
      {prompt.isFailed ? (
        <button type="button" onClick={() => actions.resend()}>
          Send again
        </button>
      ) : null}
      <button type="button" aria-description={text} onClick={() => actions.removeQueued(prompt.promptId)}>
        Remove
      </button>
    </li>
  );
}
