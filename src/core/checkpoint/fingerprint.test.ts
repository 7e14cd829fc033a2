import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, type Json } from '../json/exact.ts';
import { integerOf } from '../json/read.ts';
import { parseAddress, rootAddress, type EntityAddress } from './address.ts';
import { fingerprintText, isFingerprint, observationFingerprint, stableNames, type Observation } from './fingerprint.ts';

type Given = { type: string; address: Json; stable?: { [name: string]: Json } };
const { vectors, wellFormed } = parseJson(readFileSync(new URL('../../../fixtures/vectors/fingerprints.json', import.meta.url), 'utf8')) as unknown as {
  vectors: { title: string; observation: Given; hashInput: string; fingerprint: string }[];
  wellFormed: { text: string; isWellFormed: boolean }[];
};

const read = ({ type, address, stable }: Given): Observation => ({
  type,
  address: parseAddress(address) as EntityAddress,
  ...(stable ? { stable: Object.fromEntries(Object.entries(stable).map(([name, value]) => [name, typeof value === 'string' ? value : integerOf(value)])) } : {}),
});

test.each(vectors)('observationFingerprint(): $title', ({ observation, hashInput, fingerprint }) => {
  expect(fingerprintText(read(observation))).toBe(hashInput);
  expect(observationFingerprint(read(observation))).toBe(fingerprint);
  expect(isFingerprint(fingerprint)).toBe(true);
});

test('the vectors know every stable member', () => {
  const used = vectors.flatMap(({ observation }) => Object.keys(observation.stable ?? {}));
  expect(stableNames.filter((name) => !used.includes(name))).toEqual([]);
});

test.each(wellFormed)('isFingerprint($text)', ({ text, isWellFormed }) => expect(isFingerprint(text)).toBe(isWellFormed));

test('observationFingerprint() does not depend on the order of the stable members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string()), (stable) => {
      const turned = Object.fromEntries(Object.entries(stable).reverse());
      expect(observationFingerprint({ type: 'x', address: rootAddress, stable: turned })).toBe(observationFingerprint({ type: 'x', address: rootAddress, stable }));
    }),
  );
});

test('observationFingerprint() takes an unpaired surrogate of live JSON for what the reference reads', () => {
  const status = (text: string) => observationFingerprint({ type: 'x', address: rootAddress, stable: { status: text } });
  expect(status('a\ud800')).toBe(status('a\ufffd'));
});

test.each<[string, Observation]>([
  ['a blank type', { type: ' ', address: rootAddress }],
  ['an address that is none', { type: 'x', address: { kind: 'turn', origin: { source: 'recording-root' } } }],
])('observationFingerprint() takes %s for a bug of ours', (_title, observation) => expect(() => observationFingerprint(observation)).toThrow('Playhead is broken'));
