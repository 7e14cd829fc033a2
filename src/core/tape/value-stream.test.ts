import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, writeJson, type Json } from '../json/exact.ts';
import { limits } from '../limits.ts';
import { ValueStream } from './value-stream.ts';

type Read = { values: Json[]; failures: string[]; odd: number };

const read = (chunks: readonly (string | Buffer)[], options: { isLenient?: boolean; settles?: boolean } = {}): Read => {
  const found: Read = { values: [], failures: [], odd: 0 };
  const stream = new ValueStream({
    isLenient: options.isLenient ?? false,
    parse: parseJson,
    take: (value) => void found.values.push(value),
    fail: (failure) => void found.failures.push(failure),
    odd: () => void found.odd++,
  });
  for (const chunk of chunks) {
    // The stream may keep nothing of what it is given.
    const bytes = Buffer.from(chunk as string);
    stream.push(bytes);
    bytes.fill('x');
    if (options.settles) stream.settle();
  }
  stream.finish();
  return found;
};

const check = (chunks: string[], values: Json[], failures: string[] = []) => expect(read(chunks)).toMatchObject({ values, failures });

test.each<[string[], Json[], string[]?]>([
  [['{"a":1}\n{"b":2}\n'], [{ a: 1 }, { b: 2 }]],
  [['{"a":1}\r\n\n \t\n[2]'], [{ a: 1 }, [2]]],
  [['{"a":1}{"b":2}'], [{ a: 1 }, { b: 2 }]],
  [['{"a":1} [2]"c"true null 4 5'], [{ a: 1 }, [2], 'c', true, null, 4, 5]],
  [['{"a', '":1', '}'], [{ a: 1 }]],
  [['{\n "a": [\n 1,\n {"b":2}\n ]\n}\n{"c":3}\n'], [{ a: [1, { b: 2 }] }, { c: 3 }]],
  [['1', '2\n'], [12]],
  [['truefalse01-2"a""b"'], [true, false, 0, 1, -2, 'a', 'b']],
  [['1e5{}', '[1.5e-3,-0]'], [parseJson('1e5')!, {}, parseJson('[1.5e-3,-0]')!]],
  [['"\\u00e4\\n\\\\"'], ['ä\n\\']],
  [[], [], ['empty']],
  [[''], [], ['empty']],
  [[' \n', '\t'], [], ['empty']],
  [['{"a":1'], [], ['unfinished']],
  [['{"a":1}\n{"b":'], [{ a: 1 }], ['unfinished']],
  [['"a'], [], ['unfinished']],
  [['tru'], [], ['unfinished']],
  [['-'], [], ['unfinished']],
  [['1.'], [], ['unfinished']],
  [['Segfault\n{"a":1}\n'], [{ a: 1 }], ['invalid']],
  [['{"a":1}\nSegfault\n{"b":2}\nSegfault\n'], [{ a: 1 }, { b: 2 }], ['invalid']],
  [['{"a":1\n{"b":2}\n{"c":3}\n'], [{ b: 2 }, { c: 3 }], ['invalid']],
  [['{"a":1\n{"b":', '2}\n{"c":3}\n'], [{ b: 2 }, { c: 3 }], ['invalid']],
  [['[\n{"b":2}\n', ',\n{"c":3}\n,\n{"d":'], [{ b: 2 }, { c: 3 }], ['unfinished_lines']],
  [['[\n', '{"b":2}'], [{ b: 2 }], ['unfinished_lines']],
  [['x\n{"a":1} [2]3\n {"b":2}x{"c":3}\n'], [{ a: 1 }, [2], { b: 2 }], ['invalid']],
  [['x\n{"a":1}', '{"b"', ':2}'], [{ a: 1 }, { b: 2 }], ['invalid']],
  [['{"a":"1\n{"b":2}\n'], [{ b: 2 }], ['invalid']],
  [['{"a":1}}\n{"b":2}\n'], [{ a: 1 }, { b: 2 }], ['invalid']],
  [['{"a":1,}\n'], [], ['invalid']],
  [['[1,]\n'], [], ['invalid']],
  [['{a:1}\n'], [], ['invalid']],
  [['{"a" 1}\n'], [], ['invalid']],
  [['[1}\n'], [], ['invalid']],
  [['"\\x"\n'], [], ['invalid']],
  [['"\\u12g4"\n'], [], ['invalid']],
  [['1.2.3\n'], [1.2], ['invalid']],
  [['1ee3\n'], [], ['invalid']],
  [['nul1\n'], [], ['invalid']],
  [['\ufeff{"a":1}\n'], [], ['invalid']],
  [['\u00a0{"a":1}\n'], [], ['invalid']],
  [['{"a":1}\0\n'], [{ a: 1 }], ['invalid']],
])('ValueStream of %j', check);

test('ValueStream reads text of a log up to its first word, and takes nothing behind it', () => {
  expect(read(['{"a":1}\nready\n{"b":2}\n'], { isLenient: true })).toMatchObject({ values: [{ a: 1 }], failures: ['invalid'] });
});

test.each<[string[], number]>([
  [['{"a":1}\n', '{"b":2}\n'], 0],
  [['{"a":1}', '\n', '{"b":2}\n'], 0],
  [['{"a":1}{"b":2}\n'], 1],
  [['{"a":\n1}\n'], 1],
  [['{"a":1}{"b":2}{"c":3}\n{"d":4}\n'], 2],
])('ValueStream of %j finds %i values that are no line', (chunks, odd) => void expect(read(chunks).odd).toBe(odd));

test('ValueStream takes values without an end of line when a chunk ends', () => {
  expect(read(['{"a":1}', '{"b":', '2}', '[3]'], { settles: true }).values).toEqual([{ a: 1 }, { b: 2 }, [3]]);
});

test('ValueStream becomes U+FFFD what is no UTF-8, also where a letter was cut', () => {
  expect(read([Buffer.from([0x22, 0xc3]), Buffer.from([0xa4, 0xff, 0x22])]).values).toEqual(['ä\ufffd']);
});

test('ValueStream stops where a value is nested too deep, before it needs the stack', () => {
  expect(read([`{"a":1}\n${'['.repeat(2_000_000)}`]).failures).toEqual(['too_deep']);
  expect(read(['['.repeat(limits.nestingMax), ']'.repeat(limits.nestingMax)]).failures).toEqual([]);
});

test('ValueStream stops where a value does not end', () => {
  const piece = Buffer.alloc(4_194_304, 'x');
  const found = read(['"', ...Array.from({ length: 17 }, () => piece), '"\n{"a":1}\n']);
  expect(found).toMatchObject({ values: [{ a: 1 }], failures: ['too_long'] });
});

test('ValueStream finds behind a failure what comes late, is long, or is nested too deep', () => {
  expect(read(['x\n', '{x\n'.repeat(5_000), '{"a":1}\n']).values).toEqual([{ a: 1 }]);
  const long = 'y'.repeat(1_500_000);
  expect(read(['x\n', `{"a":"${long}`, `${long}"}\n`]).values).toEqual([{ a: long + long }]);
  expect(read(['x\n', `${'['.repeat(1_001)}${']'.repeat(1_001)}\n`]).values).toHaveLength(1);
});

test('ValueStream reads a line of many values, and one of many broken ones, in time that grows with its length', () => {
  expect(read(['{}'.repeat(500_000)]).values).toHaveLength(500_000);
  expect(read(Array.from({ length: 50_000 }, () => '{"a":{}')).failures).toHaveLength(1);
  expect(read(Array.from({ length: 60_000 }, () => '[{}'), { settles: true }).failures).toHaveLength(1);
  expect(read(['x\n', '{x\n'.repeat(500_000)]).failures).toEqual(['invalid']);
});

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);
const space = fc.constantFrom('\n', '\r\n', ' ', '\n\n', ' \t\n');
const indent = fc.constantFrom(0, 0, 0, 1);

test('ValueStream gives the values that were written, however the stream is cut', () => {
  const part = fc.record({ value: json, between: space, indent }).map(({ value, between, indent: by }) => ({ value, text: JSON.stringify(value, null, by) + between }));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), fc.array(fc.nat({ max: 12 })), fc.boolean(), (parts, cuts, settles) => {
      const bytes = Buffer.from(parts.map(({ text }) => text).join(''));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) chunks.push(bytes.subarray(at, (at += cut)));
      const found = read([...chunks, bytes.subarray(at)], { settles });
      expect(found.failures).toEqual([]);
      expect(found.values.map(writeJson)).toEqual(parts.map(({ value }) => writeJson(parseJson(JSON.stringify(value))!)));
    }),
  );
});

test('ValueStream fails exactly where a reader of one value after another fails', () => {
  const token = fc.constantFrom('{', '}', '[', ']', '"', '"a"', ':', ',', '1', '-', '0', '.5', 'e3', 'true', 'nul', 'null', ' ', '\n', '\\', '\\u00e4', 'x');
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), fc.nat({ max: 12 }), (tokens, cut) => {
      const text = tokens.join('');
      const expected = valuesOf(text);
      const found = read([text.slice(0, cut), text.slice(cut)]);
      expect(found.failures.length === 0).toBe(expected !== null);
      if (expected) expect(found.values.map(writeJson)).toEqual(expected.map(writeJson));
    }),
    { numRuns: 5_000 },
  );
});

/** The longest value at each place, slowly. */
function valuesOf(text: string): Json[] | null {
  const values: Json[] = [];
  let rest = text.replace(/^[ \n\r\t]+/, '');
  while (rest !== '') {
    let end = rest.length;
    let value = parseJson(rest);
    while (value === undefined && end > 0) value = parseJson(rest.slice(0, --end));
    // A number goes on as long as it can, and is broken where it stops too early.
    const next = rest.slice(end);
    if (value === undefined || (/[\d]$/.test(rest.slice(0, end)) && !/["\]}]$/.test(rest.slice(0, end)) && /^(\.|[eE])/.test(next))) return null;
    values.push(value);
    rest = next.replace(/^[ \n\r\t]+/, '');
  }
  return values.length > 0 ? values : null;
}
