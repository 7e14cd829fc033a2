import { expect, test } from 'vitest';
import type { Json } from '../json/exact.ts';
import { buildMessage, buildSession, buildState } from './fixtures/states.ts';
import { parseTargetRewrites, rewriteTargets } from './target.ts';

const withTarget = (agentTargetId: string) => buildState([buildSession({ agentTargetId, messages: [buildMessage({ payload: { tasks: [{ agentTargetId, note: 'recorded' }] } })] })]);

test('rewriteTargets() rewrites targets at any depth of a copy', () => {
  const source = withTarget('recorded');
  expect(rewriteTargets(source, new Map([['recorded', 'live']]))).toEqual(withTarget('live'));
  expect(source).toEqual(withTarget('recorded'));
});

test.each<[string, Json]>([['another target', withTarget('other')], ['a target that is no text', { agentTargetId: { agentTargetId: 5 } }]])('rewriteTargets() leaves %s', (_title, state) => {
  expect(rewriteTargets(state, new Map([['recorded', 'live']]))).toEqual(state);
});

const check = (recorded: string, runtime: string, rewrites: [string, string][] | null) => expect(parseTargetRewrites([{ recorded, runtime }])).toEqual(rewrites && new Map(rewrites));
test.each<[string, string, [string, string][] | null]>([
  [' a ', 'b\u00a0', [['a', 'b']]],
  [' ', 'b', null],
  ['a', '', null],
])('parseTargetRewrites() of "%s" to "%s"', check);
