/** One tool call: what, how it stands, and on demand all of it. */

import { useId, type ReactNode } from 'react';
import type { ToolEntry, TranscriptEntry } from '../engine/shown.ts';
import { CommandLine, CommandOutput } from './command-view.tsx';
import { DiffView } from './diff-view.tsx';
import { Disclosure } from './disclosure.tsx';
import { displayLine, displayText } from './display-text.ts';
import { entityAttributes } from './entity.ts';
import { toolState, toolWork, type ToolState } from './tool-facts.ts';

type Entry = Extract<TranscriptEntry, { kind: 'tool' }>;

export function ToolCard({ entry, isAsked }: { entry: Entry; isAsked: boolean }): ReactNode {
  const { tool } = entry;
  const id = useId();
  const state = toolState(tool.status);
  return (
    <article
      className={`tool ${isAsked ? 'asked' : state}`}
      aria-labelledby={id}
      {...entityAttributes({ kind: 'message', id: entry.messageId ?? entry.key, sessionId: entry.agentSessionId, status: entry.status })}
    >
      <header>
        <span className="tool-kind" aria-hidden="true" data-kind={tool.name} />
        <h3 id={id} className="tool-title">
          {displayLine(tool.title) || tool.name}
        </h3>
        <span className="tool-state">{isAsked ? 'waits for you' : stateTexts[state]}</span>
      </header>
      <Disclosure label="Details">{() => <Work tool={tool} state={state} />}</Disclosure>
    </article>
  );
}

function Work({ tool, state }: { tool: ToolEntry; state: ToolState }): ReactNode {
  const work = toolWork(tool);
  switch (work.kind) {
    case 'command':
      return (
        <>
          <CommandLine command={work.command} cwd={work.cwd} />
          {state === 'running' && work.output === '' ? null : <CommandOutput output={work.output} exitCode={work.exitCode} />}
        </>
      );
    case 'file_change':
      return <DiffView changes={work.changes} />;
    case 'other':
      return (
        <>
          {work.input === '' ? null : <pre className="output" role="group" tabIndex={0} aria-label="Input">{displayText(work.input)}</pre>}
          {work.output === '' ? null : <pre className="output" role="group" tabIndex={0} aria-label="Output">{displayText(work.output)}</pre>}
        </>
      );
  }
}

const stateTexts: { [state in ToolState]: string } = { running: 'running', completed: 'done', failed: 'failed', declined: 'declined' };
