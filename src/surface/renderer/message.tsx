/** One entry of a transcript that is not a tool call. */

import type { ReactNode } from 'react';
import type { TranscriptEntry } from '../engine/shown.ts';
import { Disclosure } from './disclosure.tsx';
import { displayText } from './display-text.ts';
import { entityAttributes, type EntityAttributes } from './entity.ts';
import { RichText } from './rich-text.tsx';

type Entry = Exclude<TranscriptEntry, { kind: 'tool' }>;

export function Message({ entry }: { entry: Entry }): ReactNode {
  switch (entry.kind) {
    case 'user':
      return (
        <div className="message user" {...attributesOf(entry)}>
          <span className="visually-hidden">You:</span>
          <p className="prose">{displayText(entry.text)}</p>
          {entry.isPending ? <p className="fact">Sending</p> : null}
        </div>
      );
    case 'assistant':
      // Busy: a screen reader reads the message when it is whole, not each word of it.
      return (
        <div className={entry.isStreaming ? 'message assistant streaming' : 'message assistant'} aria-busy={entry.isStreaming} {...attributesOf(entry)}>
          <span className="visually-hidden">Agent:</span>
          <RichText text={entry.text} />
        </div>
      );
    case 'reasoning':
      return (
        <div className="message reasoning" aria-busy={entry.isStreaming} {...attributesOf(entry)}>
          <Reasoning text={displayText(entry.text).trim()} isStreaming={entry.isStreaming} />
        </div>
      );
    case 'notice':
      return (
        <p className="message notice" {...attributesOf(entry)}>
          {displayText(entry.text)}
        </p>
      );
  }
}

function Reasoning({ text, isStreaming }: { text: string; isStreaming: boolean }): ReactNode {
  const label = isStreaming ? 'Thinking' : 'Thoughts';
  return text === '' ? <p className="fact">{label}</p> : <Disclosure label={label}>{() => <p className="prose">{text}</p>}</Disclosure>;
}

// A prompt on its way is no entity yet.
function attributesOf(entry: Entry): EntityAttributes | Record<string, never> {
  if (entry.messageId === null) return {};
  return entityAttributes({ kind: 'message', id: entry.messageId, sessionId: entry.agentSessionId, status: entry.status });
}
