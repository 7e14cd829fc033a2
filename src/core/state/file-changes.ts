/** The file changes of a turn in their one form: providers tell the same change in many (cassette-contract 7.8). */

import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, listAt, textAt, trim } from '../json/read.ts';
import { trimEnd } from '../trim-end.ts';
import { isValidDiff } from './unified-diff.ts';

type Change = 'added' | 'deleted' | 'modified';
type FileChange = { path: string; change: Change; oldString?: string; newString?: string; diff?: string; unifiedDiff?: string; content?: string };

/** The canonical form, or `undefined` where no file is left. */
export function canonicalFileChanges(value: Json | undefined): JsonObject | undefined {
  // A Map keeps the slot of a path whose file went away, for a later change of the same path.
  const slots = new Map<string, FileChange | null>();
  for (const entry of listAt(value, 'files') ?? []) {
    const change = readChange(entry);
    if (change) slots.set(change.path, mergeChanges(slots.get(change.path) ?? null, change));
  }
  const files = [...slots.values()].filter((file) => file !== null).map(withoutLastNewlines);
  const coverage = trim(textAt(value, 'coverage') ?? '');
  return files.length === 0 ? undefined : { files, ...(coverage !== '' && { coverage }) };
}

function readChange(entry: Json): FileChange | null {
  const path = firstText(entry, pathNames, (text) => !isBlank(text));
  if (path === undefined) return null;
  const diff = firstText(entry, diffNames, isValidDiff);
  const bodies = readBodies(entry, diff === undefined ? firstText(entry, diffNames, (text) => text !== '') : undefined);
  const change = bodies.change ?? impliedChange({ ...bodies, diff });
  if (change === null) return null;
  const { oldString, newString, content } = bodies;
  return {
    path: trim(path),
    change,
    ...(oldString !== undefined && { oldString }),
    ...(newString !== undefined && { newString }),
    ...(diff !== undefined && { diff, unifiedDiff: diff }),
    ...(content !== undefined && { content }),
  };
}

type Bodies = { change: Change | null; oldString: string | undefined; newString: string | undefined; content: string | undefined };

/** `raw` is what stands under a diff's name and is none: some providers put the whole file there. */
function readBodies(entry: Json, raw: string | undefined): Bodies {
  const content = textAt(entry, 'content');
  const change = namedChange(entry) ?? (content === undefined ? null : 'added');
  let oldString = firstText(entry, oldNames);
  let newString = firstText(entry, newNames);
  if (change !== 'deleted') newString ??= content;
  if (raw !== undefined) {
    if (change === 'deleted' && oldString === undefined) oldString = raw;
    else if (newString === undefined && (change === 'added' || (oldString === undefined && content === undefined))) newString = raw;
  }
  return { change, oldString, newString, content };
}

function impliedChange({ oldString, newString, diff }: { oldString: string | undefined; newString: string | undefined; diff: string | undefined }): Change | null {
  const [isOld, isNew] = [oldString !== undefined, newString !== undefined];
  if (diff === undefined && isOld !== isNew) return isOld ? 'deleted' : 'added';
  return isOld || isNew || diff !== undefined ? 'modified' : null;
}

function namedChange(entry: Json): Change | null {
  for (const name of changeNames) {
    const value = isObject(entry) && Object.hasOwn(entry, name) ? entry[name] : undefined;
    const change = typeof value === 'string' ? (changeWords.get(trim(value).toLowerCase()) ?? null) : isObject(value) ? namedChange(value) : null;
    if (change) return change;
  }
  return null;
}

/** Two changes of one file as one; `null` where the second undoes the first. */
function mergeChanges(earlier: FileChange | null, later: FileChange): FileChange | null {
  if (!earlier) return later;
  if (earlier.change === 'added' && later.change === 'deleted') return null;
  const { oldString: _, ...rest } = later;
  const merged = { ...earlier, ...rest, change: mergedKind(earlier.change, later.change) };
  // As for one change by itself, so that the canonical form of a canonical form is the same.
  return merged.change !== 'deleted' && merged.content !== undefined ? { newString: merged.content, ...merged } : merged;
}

function mergedKind(earlier: Change, later: Change): Change {
  if (earlier === 'added' && later === 'modified') return 'added';
  return earlier === 'deleted' && later === 'added' ? 'modified' : later;
}

function withoutLastNewlines(file: FileChange): JsonObject {
  const { path, change, ...bodies } = file;
  return { path, change, ...Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, trimEnd(body, '\r\n')])) };
}

function firstText(entry: Json, names: readonly string[], isWanted: (text: string) => boolean = () => true): string | undefined {
  return names.map((name) => textAt(entry, name)).find((text) => text !== undefined && isWanted(text));
}

const pathNames = ['path', 'filePath', 'file_path', 'relativePath'];
const diffNames = ['diff', 'patch', 'unifiedDiff', 'unified_diff'];
const oldNames = ['oldString', 'old_string', 'oldText'];
const newNames = ['newString', 'new_string', 'newText'];
const changeNames = ['change', 'status', 'kind', 'type'];
const changeWords = new Map<string, Change>([
  ...['add', 'added', 'create', 'created', 'new', 'write_file'].map((word) => [word, 'added'] as const),
  ...['delete', 'deleted', 'remove', 'removed', 'delete_file'].map((word) => [word, 'deleted'] as const),
  ...['modify', 'modified', 'update', 'updated', 'edit', 'edited', 'change', 'changed', 'edit_file'].map((word) => [word, 'modified'] as const),
]);
