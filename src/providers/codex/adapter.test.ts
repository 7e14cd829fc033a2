import { expect, test } from 'vitest';
import type { Json } from '../../core/json/exact.ts';
import { codex } from './adapter.ts';
import { codexRules } from './rules.ts';

test.each<[string, boolean]>([
  ['app-server', true],
  ['-c model=x app-server', true],
  ['app-server --help', false],
  ['app-server generate-ts', false],
  ['--version', false],
  ['exec hello', false],
  ['', false],
])('codex %s speaks the protocol: %s', (argv, expected) => void expect(codex.speaksProtocol(argv.split(' '))).toBe(expected));

test.each<[Json, ReturnType<typeof codex.shapeOf>]>([
  [{ id: 0, method: 'm' }, { type: 'request', id: 0, method: 'm' }],
  [{ method: 'm' }, { type: 'notification', method: 'm' }],
  [{ id: 0, result: {} }, { type: 'response', id: 0 }],
  [{ id: null, error: {} }, { type: 'response', id: null }],
  [{}, { type: 'other' }],
  [[], { type: 'other' }],
])('shapeOf(%j)', (message, shape) => void expect(codex.shapeOf(message)).toEqual(shape));

test.each<[Json, string | null]>([
  [{ result: { thread: { cliVersion: '0.171.0' } } }, '0.171.0'],
  [{ result: { userAgent: 'desk/0.171.0-beta (x)' } }, '0.171.0-beta'],
  [{ result: { userAgent: 'desk' } }, null],
  [{ method: 'm' }, null],
])('versionOf(%j) is %j', (message, version) => void expect(codex.versionOf(message)).toBe(version));

test('initializeResult() is the answer to initialize', () => {
  const outbound = [{ id: 'a', method: 'initialize' }, { id: 2, method: 'thread/start' }];
  expect(codex.initializeResult(outbound, [{ id: 2, result: 'no' }, { method: 'configWarning' }, { id: 'a', result: { userAgent: 'x' } }])).toEqual({ userAgent: 'x' });
  expect(codex.initializeResult(outbound, [])).toBe(null);
  expect(codex.initializeResult([], [{ id: 1, result: 'no' }])).toBe(null);
});

test('a refusal answers its request', () => void expect(codex.refusal(0, 'not recorded')).toEqual({ id: 0, error: { code: -32000, message: 'not recorded' } }));

test('the rules know the path members of the pinned version', () => {
  for (const name of ['cwd', 'path', 'instructionsources', 'writableroots', 'codexhome']) expect(codexRules.pathFields, name).toContain(name);
});

test('the home for a recording names the scripted model and nothing outside', () => {
  const { files, env } = codex.recordHome({ modelUrl: 'http://127.0.0.1:7' });
  const config = files['config.toml'] ?? '';
  expect(config).toContain('base_url = "http://127.0.0.1:7/v1"');
  expect(config.match(/https?:\/\/[^"]+/g)).toEqual(['http://127.0.0.1:7/v1']);
  expect(Object.keys(env)).toContain('SCRIPTED_MODEL_KEY');
});
