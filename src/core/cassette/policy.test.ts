import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { allowedFiles, blobDigestOf, blobPathOf, cassettePolicy, digestOf } from './policy.ts';

const digest = 'ab'.repeat(32);

test('cassettePolicy is schema 7 with the limits that the rest of the system has', () => {
  expect([cassettePolicy.schemaVersion, cassettePolicy.blobManifestSchemaVersion]).toEqual([7, 1]);
  expect(cassettePolicy.limits).toEqual({ maxProviderPayloadBytes: limits.frameBytesMax, maxProviderTapeBytes: limits.storedBytesMax, maxCassetteBytes: 402_653_184, maxPortableBlobBytes: 20_971_520 });
});

test.each<[string, boolean]>([
  ['activity-events.jsonl', true],
  ['checkpoint-plan.json', true],
  ['initial-state.json', true],
  ['provider/manifest.json', true],
  ['provider/frames.jsonl', true],
  ['expected-state.json', true],
  ['blobs/manifest.json', true],
  [`blobs/sha256/${digest}`, true],
  ['cassette.json', false],
  [`blobs/sha256/${'cd'.repeat(32)}`, false],
  [`blobs/sha256/${digest.toUpperCase()}`, false],
  ['scenario.json', false],
  ['environment.json', false],
  ['checkpoints.jsonl', false],
  ['seed/state.jsonl', false],
  ['expected/state.jsonl', false],
])('allowedFiles() and %s: %s', (path, isAllowed) => expect(allowedFiles([digest.toUpperCase()]).has(path)).toBe(isAllowed));

test('blobPathOf() and blobDigestOf() are each other inverted, in lower case alone', () => {
  expect(blobPathOf(digest.toUpperCase())).toBe(`blobs/sha256/${digest}`);
  expect([blobPathOf(digest), `blobs/sha256/${digest.toUpperCase()}`, 'blobs/manifest.json'].map(blobDigestOf)).toEqual([digest, null, null]);
  expect([digest.toUpperCase(), digest.slice(1), `${digest}0`, `${digest.slice(1)}g`].map(digestOf)).toEqual([digest, null, null, null]);
});
