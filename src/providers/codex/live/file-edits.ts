/** The file changes of Codex as diffs that a person reads, and as the changes of a turn (cassette-contract 7.8). */

import type { Json, JsonObject } from '../../../core/json/exact.ts';
import { listAt, objectAt, textAt } from '../../../core/json/read.ts';

/** `kind` is Codex's word. */
export type Change = { path: string; kind: 'add' | 'delete' | 'update'; diff: string };
export type FileEdit = { path: string; change: 'added' | 'deleted' | 'modified'; unifiedDiff: string };

/** The changes of a `fileChange` item, each with a diff in hunks; what has no path is left out. */
export function readChanges(item: Json): Change[] {
  return (listAt(item, 'changes') ?? []).flatMap((change) => {
    const path = textAt(change, 'path');
    const kind = textAt(objectAt(change, 'kind'), 'type') ?? textAt(change, 'kind');
    const body = textAt(change, 'diff') ?? '';
    if (path === undefined) return [];
    return [kind === 'add' || kind === 'delete' ? { path, kind, diff: wholeFile(body, kind) } : { path, kind: 'update', diff: body }];
  });
}

/** Adds changes to those of a turn: one entry for each file, in the order in which files were first touched. */
export function addEdits(edits: readonly FileEdit[], changes: readonly Change[]): FileEdit[] {
  const files = new Map(edits.map((edit) => [edit.path, edit]));
  for (const { path, kind, diff } of changes) {
    const change = words[kind];
    const earlier = files.get(path);
    if (!earlier) files.set(path, { path, change, unifiedDiff: diff });
    else if (earlier.change === 'added' && change === 'deleted') files.delete(path);
    else files.set(path, { path, change: mergedChange(earlier.change, change), unifiedDiff: change === 'modified' ? joined(earlier.unifiedDiff, diff) : diff });
  }
  return [...files.values()];
}

/** What a tool card or an approval says about changes. */
export function editTitle(changes: readonly Change[]): string {
  const [first] = changes;
  return changes.length === 1 && first ? `Edit ${first.path.split(/[/\\]/).at(-1)}` : `Edit ${changes.length} files`;
}

export function changesJson(changes: readonly Change[]): JsonObject[] {
  return changes.map(({ path, kind, diff }) => ({ path, kind, diff }));
}

// Codex gives the whole text of a file that it adds or deletes, and no hunk.
function wholeFile(text: string, kind: 'add' | 'delete'): string {
  if (text === '') return '';
  const hasEnd = text.endsWith('\n');
  const lines = (hasEnd ? text.slice(0, -1) : text).split('\n');
  const range = lines.length === 1 ? '1' : `1,${lines.length}`;
  const [header, sign] = kind === 'add' ? [`@@ -0,0 +${range} @@`, '+'] : [`@@ -${range} +0,0 @@`, '-'];
  return `${[header, ...lines.map((line) => sign + line), ...(hasEnd ? [] : ['\\ No newline at end of file'])].join('\n')}\n`;
}

function mergedChange(earlier: FileEdit['change'], later: FileEdit['change']): FileEdit['change'] {
  if (earlier === 'added' && later === 'modified') return 'added';
  return earlier === 'deleted' && later === 'added' ? 'modified' : later;
}

function joined(earlier: string, later: string): string {
  return earlier === '' || earlier.endsWith('\n') ? earlier + later : `${earlier}\n${later}`;
}

const words = { add: 'added', delete: 'deleted', update: 'modified' } as const;
