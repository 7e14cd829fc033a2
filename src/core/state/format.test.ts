import { expect, test } from 'vitest';
import { parseJson, type Json } from '../json/exact.ts';
import { compareByFormat, createStateFormats, findStateFormat, mergeByFormat, tuttiStateFormat, type StateFormat } from './format.ts';
import { buildRichState, buildState } from './fixtures/states.ts';
import { mergeStates } from './merge.ts';

const foreign: StateFormat = { id: 'desk.state.v3', check: () => {} };
const formats = createStateFormats([foreign]);

const check = (name: string, format: StateFormat | undefined) => expect(findStateFormat(formats, name)).toBe(format);
test.each<[string, StateFormat | undefined]>([
  ['tutti.agent-session-replay-state.v1', tuttiStateFormat],
  ['desk.state.v3', foreign],
  [' desk.state.v3', undefined],
  ['Desk.state.v3', undefined],
  ['toString', undefined],
  ['', undefined],
])('findStateFormat() of "%s"', check);

test('createStateFormats() registers a name once', () => {
  expect(() => createStateFormats([foreign, foreign])).toThrow('once');
});

const compare = (expected: string, actual: string, path: string | null) => expect(compareByFormat(foreign, { expected: parseJson(expected) as Json, actual: parseJson(actual) as Json }).first?.path ?? null).toBe(path);
test.each<[string, string, string | null]>([
  ['{"a":1,"b":{"id":"x"}}', '{"b":{"id":"x"},"a":1}', null],
  ['{"b":{"id":"x"},"a":1}', '{"b":{"id":"y"},"a":2}', '$.a'],
  ['{"sessions":[{"settings":{"a":1}}]}', '{"sessions":[{"settings":{"a":1,"b":1}}]}', '$.sessions[0].settings.b'],
  ['{"a":1}', '{"a":1.0}', '$.a'],
  ['[1]', '[1,2]', '$'],
])('compareByFormat() without a comparison of its own: %s and %s differ at %s', compare);

test('compareByFormat() asks the format where it has a comparison', () => {
  expect(compareByFormat(tuttiStateFormat, { expected: buildRichState(), actual: buildRichState() })).toEqual({ first: null, all: [] });
});

test.each<[string, Json[], { merged: Json; conflicts: string[] }]>([
  ['equal states', [{ a: 1 }, { a: 1 }], { merged: { a: 1 }, conflicts: [] }],
  ['other states', [{ a: 1 }, { a: 2 }], { merged: null, conflicts: ['$.a'] }],
])('mergeByFormat() without a merge of its own: %s', (_title, states, wanted) => {
  const { merged, conflicts } = mergeByFormat(foreign, states);
  expect({ merged, conflicts: conflicts.map(({ path }) => path) }).toEqual(wanted);
});

test('mergeByFormat() asks the format where it has a merge', () => {
  expect(mergeByFormat(tuttiStateFormat, [buildState()])).toEqual(mergeStates([buildState()]));
});
