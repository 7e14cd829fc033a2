/** Where a person writes: the message, what waits to be sent, and the stop button of a turn. */

import type { KeyboardEvent, ReactNode } from 'react';
import type { Actions } from '../actions.ts';
import { focusMessage, messageId, useFocusBack } from './focus-back.ts';
import { PermissionSelect } from './permission-select.tsx';
import { Queue } from './queue.tsx';
import type { WindowView } from './view.ts';

type Props = { view: WindowView; actions: Actions; draft: string; onDraft: (text: string) => void };

export function Composer({ view, actions, draft, onDraft }: Props): ReactNode {
  const { composer } = view;
  const canSend = draft.trim() !== '' && view.connection !== 'lost' && view.connection !== 'broken';
  const send = (): void => {
    if (!canSend) return;
    actions.send(draft.trim());
    onDraft('');
    focusMessage();
  };
  return (
    <form
      className="composer column"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Queue queue={view.queue} actions={actions} />
      <div className="field">
        <textarea
          id={messageId}
          aria-label="Message"
          rows={2}
          autoFocus
          placeholder={composer.queuesSubmit ? 'Write what comes next; it waits until this turn has ended' : 'Write a message'}
          value={draft}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
        />
        <div className="controls">
          <PermissionSelect key={composer.agentSessionId ?? ''} value={composer.settings['permissionModeId'] ?? 'ask'} canSet={composer.canSet} actions={actions} />
          <span className="hint">Enter sends, Shift+Enter starts a line</span>
          {composer.canStop ? <StopButton isStopping={composer.isStopping} actions={actions} /> : null}
          <button type="submit" className="primary" aria-disabled={!canSend}>
            Send
          </button>
        </div>
      </div>
    </form>
  );
}

function StopButton({ isStopping, actions }: { isStopping: boolean; actions: Actions }): ReactNode {
  const button = useFocusBack<HTMLButtonElement>();
  return (
    <button ref={button} type="button" className="stop" aria-disabled={isStopping} onClick={() => (isStopping ? undefined : actions.stop())}>
      Stop
    </button>
  );
}

// While an input method composes a word, Enter belongs to it.
function isSendKey(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
}
