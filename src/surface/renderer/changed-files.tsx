/** The files that a settled turn changed, each in one line. */

import { memo, useMemo, type ReactNode } from 'react';
import type { FileChangeEntry } from '../engine/shown.ts';
import { diffLines, type FileChange } from './diff-lines.ts';
import { FileLine } from './diff-view.tsx';
import { useShortPath } from './project.ts';
import { turnChanges } from './tool-facts.ts';

export function ChangedFiles({ files }: { files: readonly FileChangeEntry[] }): ReactNode {
  if (files.length === 0) return null;
  return (
    <ul className="files" aria-label="Changed files">
      {turnChanges(files).map((file) => (
        <ChangedFile key={file.path} path={file.path} change={file.change} diff={file.diff} />
      ))}
    </ul>
  );
}

// Remembered by its text: counting the lines of a large diff anew with every streamed word would be felt.
const ChangedFile = memo(function ChangedFile({ path, change, diff }: FileChange): ReactNode {
  const shortPath = useShortPath();
  const lines = useMemo(() => diffLines({ change, diff }), [change, diff]);
  return (
    <li>
      <FileLine path={shortPath(path)} change={change} lines={lines} />
    </li>
  );
});
