import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { limits } from '../limits.ts';
import { readJson, scanJson } from './document.ts';
import { integerOf, trim } from './read.ts';
import { parseJson } from './exact.ts';

const read = (input: string | Buffer) => {
  const findings = new Findings();
  const value = readJson(Buffer.from(input as string), { file: 'f.json' }, findings.report);
  return { value, found: findings.all.map(({ code, path }) => (path ? `${code} ${path}` : code)) };
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each<[string, string | Buffer, string[]]>([
  ['a value', '{"a":[1,{"b":null}]}', []],
  ['white space around it', ' {}\r\n', []],
  ['nothing', '', ['json_invalid']],
  ['two values', '{} {}', ['json_invalid']],
  ['a byte order mark', '\ufeff{}', ['byte_order_mark']],
  ['a NUL byte', '{"a":"\0"}', ['json_invalid']],
  ['compressed bytes', Buffer.from([0x1f, 0x8b, 8, 0]), ['json_invalid']],
  ['a repeated member', '{"a":[{"b":1,"c":2,"b":3}]}', ['json_member_repeated $.a[0].b']],
  ['a member repeated under another spelling', '{"a b":1,"a\\u0020b":2}', ['json_member_repeated $["a b"]']],
  ['equal names in two objects', '{"a":{"b":1},"c":{"b":1}}', []],
  ['a value that looks like a name', '{"a":"a","b":["a","a"]}', []],
  ['as much nesting as there may be', nested(limits.nestingMax), []],
  ['one level more', nested(limits.nestingMax + 1), ['json_too_deep']],
  ['a megabyte of brackets', '['.repeat(1_000_000), ['json_too_deep']],
])('readJson() with %s', (_title, input, found) => expect(read(input).found).toEqual(found));

test('readJson() replaces bytes that are no UTF-8, and lone surrogates', () => {
  expect(read(Buffer.from([0x22, 0x61, 0xff, 0x22])).value).toBe('a\ufffd');
  expect(read('{"\\ud800":"\\udc00 \\ud83d\\ude00"}').value).toEqual({ '\ufffd': '\ufffd 😀' });
});

test('readJson() takes the last of repeated members, and __proto__ is an ordinary name', () => {
  expect(read('{"a":1,"a":2}').value).toEqual({ a: 2 });
  const { value } = read('{"__proto__":{"polluted":true}}');
  expect([Object.keys(value as object), ({} as { polluted?: boolean }).polluted]).toEqual([['__proto__'], undefined]);
});

test('scanJson() gives something harmless for what is no JSON', () => {
  for (const text of ['"', '{"a', '}}}', '{"a\\', ':::', '[,,{"a":']) expect(scanJson(text).repeated).toEqual([]);
});

test.each<[string, bigint | undefined]>([
  ['0', 0n], ['18446744073709551615', 2n ** 64n - 1n], ['9007199254740993', 9007199254740993n], ['-5', -5n],
  ['1.0', undefined], ['1e3', undefined], ['1.5', undefined], ['"1"', undefined], ['true', undefined], ['null', undefined],
])('integerOf(%s)', (text, expected) => expect(integerOf(parseJson(text))).toBe(expected));

test('trim() knows the white space of Unicode', () => expect(trim('\u0085\u00a0 a\ufeff \u2003\n')).toBe('a\ufeff'));

test('trim() takes a long row of spaces in its stride', () => {
  const text = `x${' '.repeat(1_000_000)}x`;
  expect([trim(text) === text, trim(` ${text} `) === text, trim(' '.repeat(1_000_000))]).toEqual([true, true, '']);
});
