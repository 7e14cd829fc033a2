import { expect, test } from 'vitest';
import type { Json } from '../../core/json/exact.ts';
import type { ToolEntry } from '../engine/shown.ts';
import { readChanges, relativePath, toolState, toolWork, turnChanges } from './tool-facts.ts';

type Tool = Pick<ToolEntry, 'name' | 'input' | 'output'>;

const tools: [what: string, tool: Tool, work: object][] = [
  [
    'a command',
    { name: 'command', input: { command: 'ls beds', cwd: '/srv/garden' }, output: { text: 'peas\n', exitCode: 0 } },
    { kind: 'command', command: 'ls beds', cwd: '/srv/garden', output: 'peas\n', exitCode: 0 },
  ],
  ['a command that has said nothing yet', { name: 'command', input: { command: 'ls' }, output: null }, { kind: 'command', command: 'ls', cwd: '', output: '', exitCode: null }],
  [
    'a file change',
    { name: 'file_change', input: { changes: [{ path: 'peas', kind: 'add', diff: 'a\n' }] }, output: null },
    { kind: 'file_change', changes: [{ path: 'peas', change: 'added', diff: 'a\n' }] },
  ],
  ['another tool', { name: 'webSearch', input: { query: 'peas' }, output: {} }, { kind: 'other', input: '{\n  "query": "peas"\n}', output: '' }],
  ['a tool that says nothing', { name: '', input: {}, output: null }, { kind: 'other', input: '', output: '' }],
];

test.each(tools)('toolWork() reads %s', (_what, tool, work) => {
  expect(toolWork(tool)).toEqual(work);
});

test.each([
  ['in_progress', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['declined', 'declined'],
  ['', 'running'],
])('toolState() of "%s" is %s', (status, state) => {
  expect(toolState(status)).toBe(state);
});

const changes: [what: string, value: Json | undefined, read: object[]][] = [
  ['kinds as objects', [{ path: 'a', kind: { type: 'delete' }, diff: 'x' }], [{ path: 'a', change: 'deleted', diff: 'x' }]],
  ['kinds as words', [{ path: 'a', kind: 'update', diff: '' }], [{ path: 'a', change: 'modified', diff: '' }]],
  ['nothing', undefined, []],
  ['what is no change', [7], [{ path: '', change: 'modified', diff: '' }]],
];

test.each(changes)('readChanges() reads %s', (_what, value, read) => {
  expect(readChanges(value)).toEqual(read);
});

test('turnChanges() reads the files of a settled turn', () => {
  expect(turnChanges([{ path: 'peas', change: 'added', unifiedDiff: '+a' }])).toEqual([{ path: 'peas', change: 'added', diff: '+a' }]);
});

test.each([
  ['/srv/garden/a/b', 'a/b'],
  ['/srv/garden', ''],
  ['/srv/gardens/a', '/srv/gardens/a'],
  ['a/b', 'a/b'],
])('relativePath() of %s is "%s"', (path, shown) => {
  expect(relativePath(path, '/srv/garden')).toBe(shown);
});
