import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, judgeLayers, verdictDigest, type LayerCounts, type Verdict } from './verdict.ts';

const verdict: Verdict = {
  schemaVersion: 1,
  playhead: '0.1.0',
  result: 'passed',
  case: { name: 'a', path: 'cases/a' },
  cassette: { id: 'i', name: 'node', dir: 'cassettes/node', manifestSha256: 'ab' },
  product: { name: 'p', version: null },
  recordedWith: { playhead: '0.1.0' },
  runsWith: { provider: null, platform: 'linux-x64', node: '24.0.0', browser: null },
  drive: 'spec',
  surface: 'none',
  timing: 'instant',
  layers: judgeLayers({ cassette: { checked: 1, allowed: 0 }, effect: null, protocol: { checked: 2, allowed: 0 }, transport: { checked: 1, allowed: 0 }, state: null }, null, true),
  divergence: null,
  fault: null,
  checkpoints: [{ id: 'checkpoint-0000', name: 'n', index: 0, kind: 'turn.terminal', playbackMs: 1, wallMs: 2, attachment: 'a.png' }],
  launches: { expected: 1, arrived: 1, refused: 0 },
  durationMs: 5,
  detectedAtMs: null,
};

const digestOf = (change: Partial<Verdict>) => verdictDigest({ ...verdict, ...change });
const checkpoint = verdict.checkpoints[0] as Verdict['checkpoints'][number];

test.each<[string, Partial<Verdict>, boolean]>([
  ['times', { durationMs: 99, detectedAtMs: 7 }, true],
  ['host facts', { runsWith: { provider: 'x', platform: 'darwin', node: '22', browser: 'c' } }, true],
  ['checkpoint times and pictures', { checkpoints: [{ ...checkpoint, playbackMs: 9, wallMs: 9, attachment: null }] }, true],
  ['the result', { result: 'failed' }, false],
  ['a checkpoint', { checkpoints: [] }, false],
  ['a checkpoint name', { checkpoints: [{ ...checkpoint, name: 'other' }] }, false],
  ['a count', { launches: { expected: 1, arrived: 2, refused: 0 } }, false],
  ['the timing', { timing: 2 }, false],
])('verdictDigest() with other %s is the same: %s', (_title, change, isSame) => void expect(digestOf(change) === digestOf({})).toBe(isSame));

test('canonicalJson() does not depend on the order of members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('canonicalJson() leaves undefined members out and keeps undefined items as null', () => {
  expect(canonicalJson({ b: undefined, a: [undefined, 1] })).toBe('{"a":[null,1]}');
});

const counts: LayerCounts = { cassette: { checked: 9, allowed: 0 }, effect: null, protocol: { checked: 3, allowed: 1 }, transport: { checked: 1, allowed: 0 }, state: null };

test.each<[Parameters<typeof judgeLayers>[1], boolean, string]>([
  [null, true, 'passed not_recorded passed passed not_recorded'],
  [null, false, 'passed not_recorded not_reached not_reached not_recorded'],
  ['cassette', false, 'failed not_recorded not_reached not_reached not_recorded'],
  ['protocol', false, 'passed not_recorded failed not_reached not_recorded'],
  ['transport', false, 'passed not_recorded not_reached failed not_recorded'],
])('judgeLayers() with failed layer %j and the end reached %s', (failed, isReached, statuses) => {
  expect(Object.values(judgeLayers(counts, failed, isReached)).map((layer) => layer.status).join(' ')).toBe(statuses);
});

test('judgeLayers() keeps the counts, so that an empty green is visible', () => {
  expect(judgeLayers(counts, null, true).protocol).toEqual({ status: 'passed', checked: 3, allowed: 1 });
});
