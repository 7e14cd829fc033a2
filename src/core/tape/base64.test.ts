import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64, decodeBase64Bytes, decodedBytesMax } from './base64.ts';

const decode = (text: string): string | null => {
  const into = Buffer.alloc(decodedBytesMax(text.length) + 8, 7);
  const bytes = decodeBase64(text, into);
  return bytes < 0 ? null : into.toString('latin1', 0, bytes);
};

test.each<[string, string | null]>([
  ['', ''],
  ['YQ==', 'a'],
  ['YWI=', 'ab'],
  ['YWJj', 'abc'],
  ['YR==', 'a'],
  ['YW\r\nJj\n', 'abc'],
  ['\n', ''],
  ['YQ', null],
  ['YQ=', null],
  ['YQ===', null],
  ['A===', null],
  ['=AAA', null],
  ['YQ==YQ==', null],
  ['YQ=\n=', 'a'],
  ['YW J', null],
  ['Y-_=', null],
  ['YW\tj', null],
  ['YWJ\u00e4', null],
  ['YWJ\u0141', null],
  ['YWJ"', null],
])('decodeBase64(%j) is %j', (text, bytes) => void expect(decode(text)).toBe(bytes));

test('decodeBase64() takes exactly what the alphabet and the padding allow', () => {
  const strict = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  const letter = fc.constantFrom('A', 'z', '9', '+', '/', '=', '-', '_', ' ', '"', '\\', '\u00e4', '\u0141', '\u{1f600}', '\r', '\n', '\0', '%');
  const common = fc.constantFrom('A', 'b', 'Q', '=');
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 8, arbitrary: common }, letter), { maxLength: 24 }), (letters) => {
      const bare = letters.join('').replace(/[\r\n]/g, '');
      const into = Buffer.alloc(64);
      const bytes = decodeBase64Bytes(Buffer.from(bare).toString('latin1'), into);
      expect(bytes < 0 ? null : into.toString('latin1', 0, bytes)).toBe(strict.test(bare) ? Buffer.from(bare, 'base64').toString('latin1') : null);
      expect(decode(letters.join(''))).toBe(strict.test(bare) ? Buffer.from(bare, 'base64').toString('latin1') : null);
    }),
    { numRuns: 3_000 },
  );
});
