/** A command as it would be typed, whole, and what it printed. */

import type { ReactNode } from 'react';
import { displayExact, displayText } from './display-text.ts';
import { useShortPath } from './project.ts';

export function CommandLine({ command, cwd }: { command: string; cwd: string }): ReactNode {
  const folder = useShortPath()(cwd);
  return (
    <>
      <pre className="command" role="group" tabIndex={0} aria-label="Command">
        <span className="prompt" aria-hidden="true" />
        <code>{displayExact(command)}</code>
      </pre>
      {folder === '' ? null : <p className="fact">{`in ${folder}`}</p>}
    </>
  );
}

export function CommandOutput({ output, exitCode }: { output: string; exitCode: number | null }): ReactNode {
  const shown = displayText(output).replace(/\n+$/, '');
  return (
    <>
      {shown === '' ? (
        <p className="fact">No output</p>
      ) : (
        <pre className="output" role="group" tabIndex={0} aria-label="Output">
          {shown}
        </pre>
      )}
      {exitCode === null ? null : <p className={exitCode === 0 ? 'fact' : 'fact bad'}>{`Exit code ${exitCode}`}</p>}
    </>
  );
}
