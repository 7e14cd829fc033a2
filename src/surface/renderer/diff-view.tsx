/** What changed in files: signed, coloured and numbered lines, file by file. */

import { memo, useMemo, type ReactNode } from 'react';
import { countChanges, diffLines, type DiffLine, type FileChange } from './diff-lines.ts';
import { displayExact } from './display-text.ts';
import { shownDiffLinesMax } from './limits.ts';
import { useShortPath } from './project.ts';

export function DiffView({ changes }: { changes: readonly FileChange[] }): ReactNode {
  return (
    <div className="diffs">
      {changes.map((change, index) => (
        <FileDiff key={`${index}:${change.path}`} path={change.path} change={change.change} diff={change.diff} />
      ))}
    </div>
  );
}

const FileDiff = memo(function FileDiff({ path, change, diff }: FileChange): ReactNode {
  const shortPath = useShortPath();
  const lines = useMemo(() => diffLines({ change, diff }), [change, diff]);
  const left = lines.length - shownDiffLinesMax;
  return (
    <figure className="diff">
      <figcaption>
        <FileLine path={shortPath(path)} change={change} lines={lines} />
      </figcaption>
      <pre role="group" tabIndex={0} aria-label={`Changes of ${shortPath(path)}`}>
        {lines.slice(0, shownDiffLinesMax).map((line, index) => (
          <Line key={index} line={line} />
        ))}
        {left > 0 ? <span className="line note">{`${left} more lines are not shown`}</span> : null}
      </pre>
    </figure>
  );
});

/** A file with what happened to it, in one line. */
export function FileLine({ path, change, lines }: { path: string; change: FileChange['change']; lines: readonly DiffLine[] }): ReactNode {
  const { added, removed } = countChanges(lines);
  return (
    <>
      <span className="path">{path}</span>
      <span className="change">{change}</span>
      <span className="counts">
        <span className="plus">{`+${added}`}</span> <span className="minus">{`−${removed}`}</span>
      </span>
    </>
  );
}

// The numbers stand in attributes: a person who copies lines wants the lines alone.
function Line({ line }: { line: DiffLine }): ReactNode {
  const Tag = line.kind === 'added' ? 'ins' : line.kind === 'removed' ? 'del' : 'span';
  const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : line.kind === 'same' ? ' ' : '';
  return (
    <Tag className={`line ${line.kind}`} data-old={line.oldNumber ?? ''} data-new={line.newNumber ?? ''}>
      {`${sign}${displayExact(line.text)}\n`}
    </Tag>
  );
}
