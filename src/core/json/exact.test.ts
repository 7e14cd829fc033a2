import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, isRawNumber, member, parseJson, parseJsonSequence, setMember, writeJson, type Json, type JsonObject } from './exact.ts';

const check = (text: string, written: string | undefined) => {
  const value = parseJson(text);
  expect(value === undefined ? undefined : writeJson(value)).toBe(written);
};

test.each([
  ['1', '1'],
  ['1.0', '1.0'],
  ['1.50', '1.50'],
  ['1e3', '1e3'],
  ['-0', '-0'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775808', '9223372036854775808'],
  ['{"a":[1.0,2,{"b":1E-2}]}', '{"a":[1.0,2,{"b":1E-2}]}'],
  [' { "a" : 1 } ', '{"a":1}'],
  ['"1.0"', '"1.0"'],
  ['{"__proto__":{"x":1.0}}', '{"__proto__":{"x":1.0}}'],
  ['', undefined],
  ['{"a":1', undefined],
  ['{"a":1} {"a":2}', undefined],
])('parseJson() keeps the source of every number: %s', check);

const checkSequence = (text: string, values: string[] | undefined) => expect(parseJsonSequence(text)?.map(writeJson)).toEqual(values);

test.each<[string, string[] | undefined]>([
  ['{"a":1}', ['{"a":1}']],
  ['{"a":1}{"b":2}', ['{"a":1}', '{"b":2}']],
  ['{"a":"}"}\n\n[1,2] {"c":"\\"{"}\n', ['{"a":"}"}', '[1,2]', '{"c":"\\"{"}']],
  ['1 2.0\ttrue', ['1', '2.0', 'true']],
  ['{"a":1} nonsense', undefined],
  ['{"a":1}{"b":', undefined],
  ['  \n', undefined],
])('parseJsonSequence() reads values that follow one another: %s', checkSequence);

test('parseJson() and writeJson() give any JSON text back', () => {
  fc.assert(fc.property(fc.json(), (text) => void expect(parseJson(writeJson(parseJson(text) as Json))).toEqual(parseJson(text))));
});

test('writeJson() gives the source text of any decimal number back', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }).map((list) => list.join(''));
  fc.assert(
    fc.property(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.option(digits), fc.option(fc.integer({ min: -30, max: 30 })), (isNegative, whole, fraction, exponent) => {
      const text = `${isNegative ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`;
      expect(writeJson(parseJson(`[${text}]`) as Json)).toBe(`[${text}]`);
    }),
  );
});

test('parseJsonSequence() gives back what was joined with any white space', () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 });
  const space = fc.constantFrom('', '\n', ' ', '\r\n', '\t\n');
  fc.assert(
    fc.property(objects, space, (values, between) => {
      const texts = values.map((value) => JSON.stringify(value));
      expect(parseJsonSequence(texts.join(between))?.map(writeJson)).toEqual(texts.map((text) => writeJson(parseJson(text) as Json)));
    }),
  );
});

test('member() gives own members only', () => {
  const value = parseJson('{"a":1,"__proto__":2}');
  expect([member(value, 'a'), member(value, '__proto__'), member(value, 'toString'), member([1], 'length'), member(null, 'a')]).toEqual([1, 2, undefined, undefined, undefined]);
});

test('setMember() keeps __proto__ as an ordinary name', () => {
  const target: JsonObject = {};
  setMember(target, '__proto__', { a: 1 });
  setMember(target, 'b', 2);
  expect(writeJson(target)).toBe('{"__proto__":{"a":1},"b":2}');
});

test('isRawNumber() tells kept numbers from objects', () => {
  const kept = parseJson('1.0');
  expect([isRawNumber(kept), isObject(kept), isRawNumber(parseJson('{}')), isRawNumber(null), isRawNumber(1)]).toEqual([true, false, false, false, false]);
});
