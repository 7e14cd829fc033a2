import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { readJson } from './document.ts';
import { parseJson, type Json } from './exact.ts';
import { compareBytes, writeGoDocument, writeGoJson, writeGoMap } from './go-text.ts';

const read = <Shape>(name: string) => parseJson(readFileSync(new URL(`../../../fixtures/vectors/${name}`, import.meta.url), 'utf8')) as Shape;
const { texts, documents, numbers, values, unpairedUtf16 } = read<{
  texts: { title: string; utf8: string; written: string }[];
  documents: { title: string; document: string; written: string }[];
  numbers: { document: string; written: string }[];
  values: { title: string; value: Json; compact: string; document: string }[];
  unpairedUtf16: { utf16: string; written: string }[];
}>('text.json');
const { files, manifests } = read<{ files: { title: string; bytes: string; sha256: string }[]; manifests: { title: string; value: Json; document: string; sha256: string }[] }>('hashes.json');

const check = (value: Json, written: string) => expect(writeGoJson(value)).toBe(written);
const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

test.each(texts)('writeGoJson() writes a text: $title', ({ utf8, written }) => check(inMemory(Buffer.from(utf8, 'hex')), written));

test.each(documents)('writeGoJson() writes what was read: $title', ({ document, written }) => check(readJson(Buffer.from(document, 'hex'), { file: 'f' }, new Findings().report) as Json, written));

test.each(unpairedUtf16)('writeGoJson() writes unpaired surrogates: $utf16', ({ utf16, written }) => check(Buffer.from(utf16, 'hex').swap16().toString('utf16le'), written));

test.each(numbers)('writeGoJson() keeps the spelling of a number: $document', ({ document, written }) => check(parseJson(document) as Json, written));

test.each(values)('writeGoJson() and writeGoDocument() write containers: $title', ({ value, compact, document }) => {
  check(value, compact);
  expect(writeGoDocument(value)).toBe(document);
});

test('writeGoJson() gives every text back when it is parsed', () => {
  const all = String.fromCodePoint(...Array.from({ length: 0x3000 }, (_, i) => i));
  expect(parseJson(writeGoJson({ [all]: all }))).toEqual({ [all]: all });
});

test('writeGoMap() sorts names as bytes, also those that JS would move to the front', () => {
  expect(writeGoMap([['10', 1], ['9', 2], ['\u{1f600}', 3], ['\uff5e', 4], ['!', 5]])).toBe('{"!":5,"10":1,"9":2,"\uff5e":4,"\u{1f600}":3}');
});

test('compareBytes() is the order of code points', () => {
  expect([compareBytes('a', 'a'), compareBytes('a', 'aa'), compareBytes('B', 'a'), compareBytes('\u{10000}', '\uffff')].map(Math.sign)).toEqual([0, -1, -1, 1]);
});

test.each(files)('a file is hashed as stored: $title', ({ bytes, sha256 }) => expect(hash(Buffer.from(bytes, 'hex'))).toBe(sha256));

test.each(manifests)('writeGoDocument() writes a manifest as it is hashed: $title', ({ value, document, sha256 }) => {
  expect(writeGoDocument(value)).toBe(document);
  expect(hash(document)).toBe(sha256);
});

// What the reference holds in memory: each byte that is not UTF-8 stands for itself. Here a lone surrogate stands for it.
function inMemory(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => at + n <= bytes.length && bytes.subarray(at, at + n).toString('utf8') !== '' && isCharacter(bytes.subarray(at, at + n)));
    text += length ? bytes.subarray(at, at + length).toString('utf8') : '\udc00';
    at += length ?? 1;
  }
  return text;
}

function isCharacter(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) && [...text].length === 1;
}
