/** One turn: what was said and done in it, what it asks, and how it ended. */

import type { ReactNode } from 'react';
import type { Actions } from '../actions.ts';
import type { TranscriptTurn } from '../engine/shown.ts';
import { AnsweredLine, ApprovalCard } from './approval-card.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { entityAttributes } from './entity.ts';
import { Alert } from './failures.tsx';
import { Message } from './message.tsx';
import { ToolCard } from './tool-card.tsx';
import { orderParts, type TurnPart } from './turn-order.ts';

export function Turn({ turn, actions }: { turn: TranscriptTurn; actions: Actions }): ReactNode {
  const parts = orderParts(turn);
  const attributes = turn.turnId === null ? {} : entityAttributes({ kind: 'turn', id: turn.turnId, sessionId: turn.agentSessionId, status: turn.status });
  return (
    <div className="turn" {...attributes}>
      {parts.map((part) => (
        <Part key={part.kind === 'entry' ? part.entry.key : `${part.interaction.status}:${part.interaction.requestId}`} part={part} actions={actions} />
      ))}
      <Ending turn={turn} isWaiting={isSilent(parts)} />
    </div>
  );
}

function Part({ part, actions }: { part: TurnPart; actions: Actions }): ReactNode {
  if (part.kind === 'entry') return part.entry.kind === 'tool' ? <ToolCard entry={part.entry} isAsked={part.isAsked} /> : <Message entry={part.entry} />;
  return part.interaction.status === 'pending' ? <ApprovalCard interaction={part.interaction} actions={actions} /> : <AnsweredLine interaction={part.interaction} />;
}

function Ending({ turn, isWaiting }: { turn: TranscriptTurn; isWaiting: boolean }): ReactNode {
  const files = <ChangedFiles files={turn.files} />;
  switch (turn.status) {
    case 'completed':
      return files;
    case 'canceled':
      return (
        <>
          {files}
          <p className="ending">Turn canceled</p>
        </>
      );
    case 'interrupted':
      return <Alert title="Turn interrupted" message={turn.error?.message || 'It ended before it was done'} />;
    case 'failed':
      return <Alert title="Turn failed" message={turn.error?.message || 'The provider gave no reason'} />;
    default:
      return turn.isActive && isWaiting ? <p className="waiting" aria-hidden="true" /> : null;
  }
}

/** Nothing asks and no text grows: a mark says that the turn goes on. */
function isSilent(parts: readonly TurnPart[]): boolean {
  const last = parts.at(-1);
  if (last?.kind === 'interaction') return last.interaction.status !== 'pending';
  return !(last?.entry.kind === 'assistant' && last.entry.isStreaming && last.entry.text !== '');
}
