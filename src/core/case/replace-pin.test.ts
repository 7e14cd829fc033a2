import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { replacePins } from './replace-pin.ts';

const check = (text: string, indexes: number[], expected: string | null) => expect(replacePins(Buffer.from(text), { indexes, manifestSha256: 'new' })?.toString() ?? null).toBe(expected);

test('replacePins() changes the hash of one entry and nothing else', () => {
  const text = (pin: string) => `{\r\n  "title": "ü \\" [{,manifestSha256",\t"cassettes": [ {"dir":"a","manifestSha256":"old"}, { "manifestSha256" :\n "${pin}" , "dir": "b" } ],\n "z": [{"manifestSha256":"old"}] }`;
  check(text('old'), [1], text('new'));
});

test('replacePins() changes several entries, and a member that stands twice', () => {
  check('{"cassettes":[{"manifestSha256":"1"},{"manifestSha256":"2"},{"manifestSha256":"3"}]}', [0, 2], '{"cassettes":[{"manifestSha256":"new"},{"manifestSha256":"2"},{"manifestSha256":"new"}]}');
  check('{"cassettes":[{"manifestSha256":"1","manifestSha256":"2"}]}', [0], '{"cassettes":[{"manifestSha256":"new","manifestSha256":"new"}]}');
});

test('replacePins() reads escaped names', () => {
  check('{"cassett\\u0065s":[{"manifest\\u0053ha256":"1"}]}', [0], '{"cassett\\u0065s":[{"manifest\\u0053ha256":"new"}]}');
});

test('replacePins() takes no other place for a pin', () => {
  for (const text of ['{}', '{"cassettes":[]}', '{"cassettes":[{"dir":"manifestSha256"}]}', '{"cassettes":{"manifestSha256":"1"}}', '{"x":{"cassettes":[{"manifestSha256":"1"}]}}', '{"cassettes":[[{"manifestSha256":"1"}]]}', '{"cassettes":[{"a":{"manifestSha256":"1"}}]}']) check(text, [0], null);
});
