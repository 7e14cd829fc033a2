/** What a provider asks leave for: all that will be done, and the answers. */

import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import type { Actions } from '../actions.ts';
import type { InteractionEntry } from '../engine/shown.ts';
import { CommandLine } from './command-view.tsx';
import { DiffView } from './diff-view.tsx';
import { displayExact, displayLine } from './display-text.ts';
import { entityAttributes } from './entity.ts';
import { useFocusBack } from './focus-back.ts';
import { useReadingPlace } from './reading-place.ts';
import { readChanges } from './tool-facts.ts';

export function ApprovalCard({ interaction, actions }: { interaction: InteractionEntry; actions: Actions }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const card = useFocusBack<HTMLElement>();
  const id = useId();
  useFocusOnArrival(heading);
  const { agentSessionId, requestId, status } = interaction;
  return (
    <section ref={card} className="approval" role="group" aria-labelledby={id} {...entityAttributes({ kind: 'interaction', id: requestId, sessionId: agentSessionId, status })}>
      <h3 id={id} ref={heading} tabIndex={-1}>
        Approval needed
      </h3>
      <Question interaction={interaction} />
      {interaction.reason ? <p className="reason">{`Reason: ${displayExact(interaction.reason)}`}</p> : null}
      <Answers interaction={interaction} actions={actions} />
    </section>
  );
}

/** A question that was answered, or that nobody needs to answer any more. */
export function AnsweredLine({ interaction }: { interaction: InteractionEntry }): ReactNode {
  const { agentSessionId, requestId, status, answer, title, toolName } = interaction;
  return (
    <p className="answered" {...entityAttributes({ kind: 'interaction', id: requestId, sessionId: agentSessionId, status })}>
      <span>{status === 'superseded' ? 'No longer asked:' : (answerTexts[answer ?? ''] ?? 'Answered:')}</span>
      <span className="path">{displayLine(title) || toolName}</span>
    </p>
  );
}

const answerTexts: { [answer: string]: string } = { approve: 'Approved:', approve_for_session: 'Approved for the session:', deny: 'Declined:', abort: 'Declined, and the turn ended:' };

function Question({ interaction }: { interaction: InteractionEntry }): ReactNode {
  const changes = readChanges(interaction.changes);
  if (interaction.command !== null) {
    return (
      <>
        <p>The agent wants to run this command:</p>
        <CommandLine command={interaction.command} cwd={interaction.cwd ?? ''} />
      </>
    );
  }
  if (changes.length === 0) return <p>{`The agent wants to use: ${displayLine(interaction.title) || interaction.toolName}`}</p>;
  return (
    <>
      <p>{changes.length === 1 ? 'The agent wants to change this file:' : `The agent wants to change these ${changes.length} files:`}</p>
      <DiffView changes={changes} />
    </>
  );
}

function Answers({ interaction, actions }: { interaction: InteractionEntry; actions: Actions }): ReactNode {
  const { isAnswering, options } = interaction;
  const answer = (give: () => void) => (): void => (isAnswering ? undefined : give());
  return (
    <div className="answers">
      <button type="button" className="primary" aria-disabled={isAnswering} onClick={answer(() => actions.approve(interaction))}>
        Approve
      </button>
      {options.includes('approve_for_session') ? (
        <button type="button" aria-disabled={isAnswering} onClick={answer(() => actions.approve(interaction, { forSession: true }))}>
          Approve for session
        </button>
      ) : null}
      <button type="button" aria-disabled={isAnswering} onClick={answer(() => actions.decline(interaction))}>
        Decline
      </button>
    </div>
  );
}

/** A question takes the focus when it comes, but never out of a sentence that somebody writes. */
function useFocusOnArrival(heading: RefObject<HTMLHeadingElement | null>): void {
  const place = useReadingPlace();
  useEffect(() => {
    if (isTyping()) return;
    // A card that is higher than the transcript is read from its top.
    heading.current?.focus();
    place.look();
  }, [heading, place]);
}

function isTyping(): boolean {
  const active = document.activeElement;
  return active instanceof HTMLTextAreaElement && active.value !== '';
}
