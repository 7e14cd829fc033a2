/** What a tool did and what an approval is about, ready to be shown; every member of a tool's JSON may be missing or of another type. */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import type { FileChangeEntry, ToolEntry } from '../engine/shown.ts';
import type { FileChange } from './diff-lines.ts';

export type ToolState = 'running' | 'completed' | 'failed' | 'declined';
export type ToolWork =
  | { kind: 'command'; command: string; cwd: string; output: string; exitCode: number | null }
  | { kind: 'file_change'; changes: FileChange[] }
  | { kind: 'other'; input: string; output: string };

/** What the details of a tool call show. */
export function toolWork({ name, input, output }: Pick<ToolEntry, 'name' | 'input' | 'output'>): ToolWork {
  const text = textOf(output?.['text']);
  if (name === 'command') {
    const exitCode = output?.['exitCode'];
    return { kind: 'command', command: textOf(input['command']), cwd: textOf(input['cwd']), output: text, exitCode: typeof exitCode === 'number' ? exitCode : null };
  }
  if (name === 'file_change') return { kind: 'file_change', changes: readChanges(input['changes']) };
  return { kind: 'other', input: jsonText(input), output: text || jsonText(output) };
}

export function toolState(status: string): ToolState {
  return status === 'completed' || status === 'failed' || status === 'declined' ? status : 'running';
}

/** The changes of a tool call or an approval: `[{ path, kind, diff }]`; a provider may give the kind as `{ type }`. */
export function readChanges(value: Json | undefined): FileChange[] {
  return (Array.isArray(value) ? value : []).map((item) => {
    const file = objectOf(item);
    return { path: textOf(file['path']), change: changeOf(textOf(file['kind']) || textOf(objectOf(file['kind'])['type'])), diff: textOf(file['diff']) };
  });
}

/** The files of a settled turn. */
export function turnChanges(files: readonly FileChangeEntry[]): FileChange[] {
  return files.map(({ path, change, unifiedDiff }) => ({ path, change: changeOf(change), diff: unifiedDiff }));
}

/** Below the project a path is shown without it: a person knows where they work, and no picture depends on it. */
export function relativePath(path: string, project: string): string {
  const folder = project.replace(/\/+$/, '');
  if (folder === '' || path === folder) return path === folder ? '' : path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

function changeOf(kind: string): FileChange['change'] {
  return kind.startsWith('add') ? 'added' : kind.startsWith('delete') ? 'deleted' : 'modified';
}

function jsonText(value: JsonObject | null): string {
  return value === null || Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
