import fc from 'fast-check';
import { expect, test } from 'vitest';
import { childPath, differingPaths, firstDifference, includesJson } from './compare.ts';
import { parseJson } from './exact.ts';

const check = (recorded: string, live: string, path: string | null) => expect(firstDifference(parseJson(recorded), parseJson(live))?.path ?? null).toBe(path);

test.each<[string, string, string | null]>([
  ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }', null],
  ['{"a":{"b":[1,2]}}', '{"a":{"b":[1,3]}}', '$.a.b[1]'],
  ['{"a":1}', '{"a":1,"b":2}', '$.b'],
  ['{"a":1,"b":2}', '{"a":1}', '$.b'],
  ['{"b":1,"a":1}', '{"a":2,"b":2}', '$.b'],
  ['[1,2]', '[1]', '$[1]'],
  ['[]', '{}', '$'],
  ['1', '1.0', '$'],
  ['1.0', '1.0', null],
  ['1e3', '1000', '$'],
  ['9007199254740993', '9007199254740992', '$'],
  ['null', '{}', '$'],
  ['{"odd key":1}', '{"odd key":2}', '$["odd key"]'],
  ['{"a":null}', '{}', '$.a'],
  ['{"toString":1}', '{}', '$.toString'],
])('firstDifference() of %s and %s is at %s', check);

test.each<[string, string, number, string[]]>([
  ['{"a":[1,2,3],"b":1}', '{"a":[0,0,0],"b":2}', 2, ['$.a[0]', '$.a[1]']],
  ['{"__proto__":1,"toString":1}', '{}', 20, ['$.__proto__', '$.toString']],
])('differingPaths() of %s and %s, %i at most', (recorded, live, max, paths) => expect(differingPaths(parseJson(recorded), parseJson(live), max)).toEqual(paths));

test('differingPaths() takes lists of any length', () => {
  const zeros = [Array<number>(300_000).fill(0)];
  expect(differingPaths(zeros, [Array<number>(300_000).fill(1)], Number.POSITIVE_INFINITY).length).toBe(300_000);
});

test('includesJson() takes nothing from the prototype for a member', () => {
  expect(includesJson({}, parseJson('{"__proto__":{}}'))).toBe(false);
});

test('firstDifference() gives both values of the place', () => {
  expect(firstDifference({ a: { b: 'x' } }, { a: { b: ['y'] } })).toEqual({ path: '$.a.b', recorded: 'x', live: ['y'] });
});

test('firstDifference() is null for a value and itself whatever the order of members', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).reverse().map(([key, item]) => [key, shuffled(item)]));
  };
  fc.assert(fc.property(fc.json(), (text) => void expect(firstDifference(parseJson(text), parseJson(JSON.stringify(shuffled(JSON.parse(text)))))).toBe(null)));
});

test('differingPaths() lists every place up to a limit', () => {
  const recorded = { a: 1, b: [1, 2, 3], c: { d: 1 } };
  const live = { a: 2, b: [1, 5], c: {}, e: 1 };
  expect(differingPaths(recorded, live)).toEqual(['$.a', '$.b[1]', '$.b[2]', '$.c.d', '$.e']);
  expect(differingPaths(recorded, live, 2)).toEqual(['$.a', '$.b[1]']);
});

test('differingPaths() is empty exactly where firstDifference() finds nothing', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 2 }), fc.json({ maxDepth: 2 }), (a, b) => void expect(differingPaths(parseJson(a), parseJson(b)).length === 0).toBe(firstDifference(parseJson(a), parseJson(b)) === null)));
});

const checkIncludes = (value: string, partial: string, expected: boolean) => expect(includesJson(parseJson(value), parseJson(partial))).toBe(expected);

test.each<[string, string, boolean]>([
  ['{"a":1,"b":{"c":2,"d":3}}', '{"b":{"c":2}}', true],
  ['{"a":[{"x":1,"y":2}]}', '{"a":[{"x":1}]}', true],
  ['{"a":[1,2]}', '{"a":[1]}', false],
  ['{"a":1}', '{"b":1}', false],
  ['[]', '{}', false],
])('includesJson() of %s with %s is %s', checkIncludes);

test.each([
  ['plain', '$.plain'],
  ['with-dash', '$["with-dash"]'],
  ['1st', '$["1st"]'],
  ['', '$[""]'],
])('childPath() of %j is %s', (key, path) => expect(childPath('$', key)).toBe(path));
