import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json/exact.ts';
import { isValidDiff } from '../../../core/state/unified-diff.ts';
import { addEdits, readChanges, type Change, type FileEdit } from './file-edits.ts';
import { readSettings, threadParams, turnOverrides } from './settings.ts';
import { withoutShell } from './shell-word.ts';

test.each<[string, string]>([
  ["/bin/bash -lc 'make tea'", 'make tea'],
  ['bash -c "echo \\"hi\\" > \\$HOME/x"', 'echo "hi" > $HOME/x'],
  ["/usr/bin/zsh -lc 'it'\\''s'", "it's"],
  ['sh -c ls', 'ls'],
  ["bash -lc 'a' b", "bash -lc 'a' b"],
  ["bash -lc 'open", "bash -lc 'open"],
  ['bash script.sh', 'bash script.sh'],
  ['make tea', 'make tea'],
  ['', ''],
])('withoutShell(%j) is %j', (command, inner) => expect(withoutShell(command)).toBe(inner));

const change = (kind: string, diff: string): JsonObject => ({ path: '/p/a', kind: { type: kind }, diff });

test.each<[string, JsonObject, Change]>([
  ['a new file', change('add', 'one\ntwo\n'), { path: '/p/a', kind: 'add', diff: '@@ -0,0 +1,2 @@\n+one\n+two\n' }],
  ['a new file without an end of line', change('add', 'one'), { path: '/p/a', kind: 'add', diff: '@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n' }],
  ['a deleted file', change('delete', 'one\n\n'), { path: '/p/a', kind: 'delete', diff: '@@ -1,2 +0,0 @@\n-one\n-\n' }],
  ['a changed file', change('update', '@@ -1 +1 @@\n-a\n+b\n'), { path: '/p/a', kind: 'update', diff: '@@ -1 +1 @@\n-a\n+b\n' }],
])('readChanges() gives the diff of %s', (_title, given, expected) => {
  const changes = readChanges({ changes: [given] });
  expect(changes).toEqual([expected]);
  expect(isValidDiff(changes[0]?.diff ?? '')).toBe(true);
});

test('readChanges() gives an empty file no hunk', () => expect(readChanges({ changes: [change('add', '')] })).toEqual([{ path: '/p/a', kind: 'add', diff: '' }]));

const edit = (kind: Change['kind'], diff: string = kind): Change => ({ path: 'a', kind, diff });
const checkEdits = (rounds: readonly Change[][], edits: FileEdit[]) => expect(rounds.reduce<FileEdit[]>(addEdits, [])).toEqual(edits);

test.each<[string, Change[][], FileEdit[]]>([
  ['two hunks of one file', [[edit('update', 'x')], [edit('update', 'y\n')]], [{ path: 'a', change: 'modified', unifiedDiff: 'x\ny\n' }]],
  ['a file that came and changed', [[edit('add', 'x\n')], [edit('update', 'y\n')]], [{ path: 'a', change: 'added', unifiedDiff: 'x\ny\n' }]],
  ['a file that came and went', [[edit('add')], [edit('delete')]], []],
  ['a file that went and came', [[edit('delete')], [edit('add', 'n')]], [{ path: 'a', change: 'modified', unifiedDiff: 'n' }]],
  ['a file that changed and went', [[edit('update')], [edit('delete', 'd')]], [{ path: 'a', change: 'deleted', unifiedDiff: 'd' }]],
  ['two files', [[edit('update'), { path: 'b', kind: 'add', diff: 'n' }]], [{ path: 'a', change: 'modified', unifiedDiff: 'update' }, { path: 'b', change: 'added', unifiedDiff: 'n' }]],
])('addEdits() joins %s', (_title, rounds, edits) => checkEdits(rounds, edits));

test.each<[string, JsonObject, JsonObject]>([
  ['the defaults', { model: 'scripted', permissionModeId: 'ask', reasoningEffort: 'default', speed: 'standard' }, { cwd: '/p', model: 'scripted', approvalPolicy: 'untrusted', sandbox: 'workspace-write' }],
  ['nothing', {}, { cwd: '/p', approvalPolicy: 'untrusted', sandbox: 'workspace-write' }],
  ['auto', { permissionModeId: 'auto', reasoningEffort: 'high', speed: 'fast' }, { cwd: '/p', config: { model_reasoning_effort: 'high', service_tier: 'fast' }, approvalPolicy: 'on-request', sandbox: 'workspace-write' }],
  ['full', { permissionModeId: 'full' }, { cwd: '/p', approvalPolicy: 'never', sandbox: 'danger-full-access' }],
  ['read-only', { permissionModeId: 'read-only' }, { cwd: '/p', approvalPolicy: 'untrusted', sandbox: 'read-only' }],
])('threadParams() starts a thread with %s', (_title, settings, params) => expect(threadParams('/p', readSettings(settings))).toEqual(params));

test('readSettings() refuses a mode that Codex has no policy for', () => expect(() => readSettings({ permissionModeId: 'toString' })).toThrow(/permission mode "toString"/));

test.each<[string, JsonObject, JsonObject]>([
  ['nothing new', { model: 'm', reasoningEffort: 'low' }, {}],
  ['another model', { model: 'n', reasoningEffort: 'low' }, { model: 'n' }],
  ['no effort of its own', { model: 'm', reasoningEffort: 'default' }, {}],
  ['another effort, speed and mode', { model: 'm', reasoningEffort: 'high', speed: 'fast', permissionModeId: 'full' }, { effort: 'high', serviceTier: 'fast', approvalPolicy: 'never', sandboxPolicy: { type: 'dangerFullAccess' } }],
])('turnOverrides() says %s', (_title, settings, overrides) => expect(turnOverrides(readSettings({ model: 'm', reasoningEffort: 'low' }), readSettings(settings))).toEqual(overrides));
