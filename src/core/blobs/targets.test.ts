import { expect, test } from 'vitest';
import { posix } from 'node:path';
import { checkBlobManifest } from './check-manifest.ts';
import type { BlobFacts } from './facts.ts';
import { blobTargetPath, planBlobTargets } from './targets.ts';

const digest = 'ab'.repeat(32);
const attachment = (change: Partial<BlobFacts> = {}): BlobFacts => ({ index: 0, kind: 'agent-prompt-attachment', sha256: digest, sizeBytes: 1, agentSessionId: 's', attachmentId: 'a', relativePath: null, mimeType: 'image/jpeg', ...change });
const image = (relativePath: string, change: Partial<BlobFacts> = {}): BlobFacts => attachment({ kind: 'agent-generated-image', attachmentId: null, relativePath, mimeType: 'image/png', ...change });
const check = (...batch: BlobFacts[][]) => {
  const { targets, conflicts } = planBlobTargets(batch.map((blobs, index) => ({ cassetteId: `c${index}`, blobs })));
  return [targets.map(({ path }) => path), conflicts.map(({ path, cassetteIds }) => `${path} ${cassetteIds.join(' ')}`)];
};
const jpg = 'agent/attachments/s/a.jpg';
const runs = 'agent/runs/s/codex-home/generated_images';

test.each<[string, BlobFacts[][], string[], string[]]>([
  ['one of each kind', [[attachment(), image('generated_images/x/a.png')]], [jpg, `${runs}/x/a.png`], []],
  ['one picture in two cassettes', [[attachment()], [attachment()]], [jpg], []],
  ['two pictures in one place', [[attachment()], [attachment({ sha256: 'cd'.repeat(32) })]], [jpg], [`${jpg} c0 c1`]],
  ['two sizes in one place', [[attachment()], [attachment({ sizeBytes: 2 })]], [jpg], [`${jpg} c0 c1`]],
  ['two types of one attachment', [[attachment()], [attachment({ mimeType: 'image/png' })]], [jpg], ['agent/attachments/s/a.png c0 c1']],
  ['two images that differ by extension', [[image('generated_images/a.png'), image('generated_images/a.webp', { mimeType: 'image/webp' })]], [`${runs}/a.png`, `${runs}/a.webp`], []],
  ['a file where another one needs a folder', [[image('generated_images/a.png')], [image('generated_images/a.png/b.png')]], [`${runs}/a.png`, `${runs}/a.png/b.png`], [`${runs}/a.png/b.png c0 c1`]],
  ['blobs that were reported', [[attachment({ agentSessionId: null }), attachment({ mimeType: null }), attachment({ kind: null })]], [], []],
])('planBlobTargets() with %s', (_title, batch, targets, conflicts) => expect(check(...batch)).toEqual([targets, conflicts]));

test('blobTargetPath() stays in its folder whatever the names are', () => {
  const names = ['..', '.', '../x', '/etc', 'a/../../..', 'a\\..\\b', '\0', ' ..', '', 'generated_images/../../x.png', 'generated_images/a.png', '__proto__'];
  for (const session of names)
    for (const place of names) {
      const blobs = [attachment({ agentSessionId: session, attachmentId: place }), image(place, { agentSessionId: session })];
      const entries = blobs.map(({ kind, sha256, agentSessionId, attachmentId, relativePath, mimeType }) => ({ kind, sha256, sizeBytes: 1, agentSessionId, attachmentId, relativePath, mimeType }));
      const checked = checkBlobManifest({ schemaVersion: 1, blobs: entries }, () => {}) ?? [];
      for (const path of [...blobs, ...checked].map(blobTargetPath)) expect(path === null || (posix.normalize(path) === path && /^agent\/(attachments|runs)\/[^/]+\/./.test(path))).toBe(true);
    }
});
