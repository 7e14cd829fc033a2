import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { member, parseJson, type Json } from '../json/exact.ts';
import { addressJson, checkAddress, entityAddressKey, isSameAddress, parentDiscriminator, parentOf, parseAddress, rootAddress, type EntityAddress } from './address.ts';

const vectors = parseJson(readFileSync(new URL('../../../fixtures/vectors/addresses.json', import.meta.url), 'utf8')) as unknown as {
  keys: { title: string; address: Json; key: string }[];
  parents: { title: string; parent: Json; discriminator: string }[];
};

const parse = (value: Json) => parseAddress(value) as EntityAddress;

test.each(vectors.keys)('entityAddressKey() of $title', ({ address, key }) => expect(entityAddressKey(parse(address))).toBe(key));

test.each(vectors.keys)('parseAddress() gives back what addressJson() writes: $title', ({ address }) => expect(parse(addressJson(parse(address)))).toEqual(parse(address)));

test.each(vectors.parents)('parentDiscriminator() of $title, and back', ({ parent, discriminator }) => {
  const goal: EntityAddress = { kind: 'goal', origin: { source: 'activity-event', activityEventSequence: 3n }, discriminator };
  expect(parentDiscriminator(parse(parent))).toBe(discriminator);
  expect(parentOf(goal)).toEqual(parse(parent));
  expect(parentOf({ ...goal, kind: 'turn' })).toBeNull();
});

test.each(['', 'parent:', 'parent:!', 'parent:e30', 'message', `${vectors.parents[0]?.discriminator}=`])('parentOf() refuses the discriminator %j', (discriminator) => {
  expect(parentOf({ kind: 'goal', origin: { source: 'activity-event', activityEventSequence: 3n }, discriminator })).toBeNull();
});

test('isSameAddress() compares by value', () => {
  const place = () => ({ connectionId: 'c', chunkSeq: 9n, unitIndex: 1n, eventIndex: 1n });
  const turn = (): EntityAddress => ({ kind: 'turn', origin: { source: 'provider-observation', providerObservation: place() } });
  expect(isSameAddress(turn(), turn())).toBe(true);
  expect(isSameAddress(turn(), { ...turn(), kind: 'message' })).toBe(false);
  expect(isSameAddress(rootAddress, { ...rootAddress, discriminator: '' })).toBe(true);
});

const observation = { connectionId: 'c', chunkSeq: 1, unitIndex: 1, eventIndex: 1 };
const check = (value: Json, expected: string[]) => {
  const findings = new Findings();
  const address = checkAddress(value, { file: 'f.json', line: 2, path: '$.subjects[0]' }, findings.report);
  expect(findings.all.map(({ code, line, path }) => `${code} ${line} ${path}`)).toEqual(expected);
  // A value of a wrong type is no address either, but somebody else says so.
  if (expected.length > 0) expect(address).toBeNull();
  return address;
};
const at = (path: string) => [`address_invalid 2 $.subjects[0]${path}`];

test.each<[string, Json, string[]]>([
  ['the root', { kind: 'session', origin: { source: 'recording-root' } }, []],
  ['every kind', { kind: 'tool-call', origin: { source: 'initial-state', initialStatePath: '/a' } }, []],
  ['null and blank for what must be absent', { kind: 'session', origin: { source: 'recording-root', initialStatePath: ' ', activityEventSequence: 0, providerObservation: null }, discriminator: null }, []],
  ['unknown members', { kind: 'session', origin: { source: 'recording-root', x: 1 }, y: 2 }, []],
  ['no address', null, at('')],
  ['an address without members', {}, at('.kind')],
  ['an unknown kind', { kind: 'Session', origin: { source: 'recording-root' } }, at('.kind')],
  ['no origin', { kind: 'session' }, at('.origin.source')],
  ['an unknown source', { kind: 'session', origin: { source: 'root' } }, at('.origin.source')],
  ['the root as a turn', { kind: 'turn', origin: { source: 'recording-root' } }, at('.kind')],
  ['the root with a discriminator', { kind: 'session', origin: { source: 'recording-root' }, discriminator: 'a' }, at('.discriminator')],
  ['a padded discriminator', { kind: 'turn', origin: { source: 'activity-event', activityEventSequence: 1 }, discriminator: 'a ' }, at('.discriminator')],
  ['a blank discriminator', { kind: 'turn', origin: { source: 'activity-event', activityEventSequence: 1 }, discriminator: ' ' }, at('.discriminator')],
  ['a relative path', { kind: 'turn', origin: { source: 'initial-state', initialStatePath: 'agent' } }, at('.origin.initialStatePath')],
  ['a path behind white space', { kind: 'turn', origin: { source: 'initial-state', initialStatePath: ' /agent' } }, at('.origin.initialStatePath')],
  ['no path', { kind: 'turn', origin: { source: 'initial-state' } }, at('.origin.initialStatePath')],
  ['event 0', { kind: 'turn', origin: { source: 'activity-event', activityEventSequence: 0 } }, at('.origin.activityEventSequence')],
  ['two origins', { kind: 'turn', origin: { source: 'activity-event', activityEventSequence: 1, initialStatePath: '/a' } }, at('.origin.initialStatePath')],
  ['the root with an event', { kind: 'session', origin: { source: 'recording-root', activityEventSequence: 1 } }, at('.origin.activityEventSequence')],
  ['an empty position beside a path', { kind: 'turn', origin: { source: 'initial-state', initialStatePath: '/a', providerObservation: {} } }, at('.origin.providerObservation')],
  ['no position', { kind: 'turn', origin: { source: 'provider-observation' } }, at('.origin.providerObservation.connectionId')],
  ...(['connectionId', 'chunkSeq', 'unitIndex', 'eventIndex'] as const).map((key): [string, Json, string[]] => [`a position without ${key}`, { kind: 'turn', origin: { source: 'provider-observation', providerObservation: { ...observation, [key]: null } } }, at(`.origin.providerObservation.${key}`)]),
  ['a wrong type', { kind: 1, origin: {} }, []],
  ['a wrong type inside', { kind: 'turn', origin: { source: 'activity-event', activityEventSequence: '1' } }, []],
  ['a number that is no integer', parseJson('{"kind":"turn","origin":{"source":"activity-event","activityEventSequence":1.0}}') as Json, []],
])('checkAddress() with %s', (_title, value, expected) => void check(value, expected));

test('checkAddress() reads numbers to 2^64-1', () => {
  const address = check(parseJson('{"kind":"turn","origin":{"source":"activity-event","activityEventSequence":18446744073709551615}}') as Json, []);
  expect(address?.origin).toEqual({ source: 'activity-event', activityEventSequence: 2n ** 64n - 1n });
  expect(member(addressJson(address as EntityAddress), 'kind')).toBe('turn');
});
