import { expect, test } from 'vitest';
import { replaceManifestName } from './replace-name.ts';

const check = (manifest: string | Buffer, name = 'New <1>') => replaceManifestName(Buffer.from(manifest as string), name)?.toString('latin1') ?? null;

test.each<[string, string | Buffer, string | null]>([
  ['a plain one', '{"id":"x","name":"old","n":1}', '{"id":"x","name":"New \\u003c1\\u003e","n":1}'],
  ['space and order of its own', '{\r\n\t"2": 1.50e3,\n "name" :\t"o\\"ld\\\\" , "1":[ ] }\n', '{\r\n\t"2": 1.50e3,\n "name" :\t"New \\u003c1\\u003e" , "1":[ ] }\n'],
  ['names further down', '{"a":{"name":"keep"},"b":[{"name":"keep"}],"name":"old"}', '{"a":{"name":"keep"},"b":[{"name":"keep"}],"name":"New \\u003c1\\u003e"}'],
  ['values that say name', '{"a":"name","b":"\\"name\\":\\"x\\"","name":"old"}', '{"a":"name","b":"\\"name\\":\\"x\\"","name":"New \\u003c1\\u003e"}'],
  ['a name spelt with escapes', '{"n\\u0061me":"old"}', '{"n\\u0061me":"New \\u003c1\\u003e"}'],
  ['the member twice', '{"name":"a","x":1,"name":"b"}', '{"name":"New \\u003c1\\u003e","x":1,"name":"New \\u003c1\\u003e"}'],
  ['bytes that are no UTF-8', Buffer.from('7b22610022ff3a', 'hex'), null],
  ['other bytes kept as they are', Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff, 0xc3]), Buffer.from('","name":"old"}')]), '{"x":"\u00ff\u00c3","name":"New \\u003c1\\u003e"}'],
  ['no name', '{"id":"x"}', null],
  ['another case', '{"Name":"x"}', null],
])('replaceManifestName() in a manifest with %s', (_title, manifest, expected) => expect(check(manifest)).toBe(expected));
