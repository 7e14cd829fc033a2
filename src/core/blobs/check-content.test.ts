import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { BlobContentCheck, checkBlobsPresent } from './check-content.ts';
import type { BlobFacts, BlobMimeType } from './facts.ts';
import { jpeg, png, webpExtended } from './fixtures.ts';

const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const blobOf = (sha256: string, mimeType: BlobMimeType | null, index = 0): BlobFacts => ({ index, kind: 'agent-prompt-attachment', sha256, sizeBytes: 1, agentSessionId: 's', attachmentId: `a${index}`, relativePath: null, mimeType });
const check = (content: Buffer, options: { mimeTypes?: (BlobMimeType | null)[]; name?: string; inventorySha256?: string | null } = {}) => {
  const { mimeTypes = ['image/png'], name = sha256Of(content), inventorySha256 = sha256Of(content) } = options;
  const findings = new Findings();
  const subject = new BlobContentCheck({ digest: name, blobs: mimeTypes.map((mimeType, index) => blobOf(name, mimeType, index)), report: findings.report });
  subject.update(content.subarray(0, 9));
  subject.update(content.subarray(9));
  subject.finish({ sha256: sha256Of(content), inventorySha256 });
  expect(findings.all.every(({ file }) => file === `blobs/sha256/${name}`)).toBe(true);
  return findings.all.map(({ code }) => code);
};
const other = 'cd'.repeat(32);

test.each<[string, string[], string[]]>([
  ['what its name says', check(png(2, 3)), []],
  ['a hash in capitals in the inventory', check(png(2, 3), { inventorySha256: sha256Of(png(2, 3)).toUpperCase() }), []],
  ['another content than its name says, which the inventory believes', check(png(2, 3), { name: other }), ['blob_content_mismatch']],
  ['a content that was changed, which the inventory check reports', check(Buffer.from('x'), { name: other, inventorySha256: other }), []],
  ['no line in the inventory', check(png(2, 3), { inventorySha256: null }), []],
  ['text', check(Buffer.from('hello, this is text')), ['blob_image_invalid']],
  ['nothing', check(Buffer.alloc(0)), ['blob_image_invalid']],
  ['a picture of another type', check(jpeg(2, 3)), ['blob_image_invalid']],
  ['a picture that two blobs declare alike', check(png(2, 3), { mimeTypes: ['image/png', 'image/png'] }), []],
  ['a picture that two blobs declare differently', check(png(2, 3), { mimeTypes: ['image/png', 'image/webp'] }), ['blob_image_invalid']],
  ['a type that was reported already', check(Buffer.from('x'), { mimeTypes: [null] }), []],
  ['as many pixels as there may be', check(png(10_000, 10_000)), []],
  ['as long a side as there may be', check(png(16_384, 1)), []],
  ['one pixel more on a side', check(png(16_385, 1)), ['blob_pixels_exceeded']],
  ['one row more', check(png(10_000, 10_001)), ['blob_pixels_exceeded']],
  ['a bomb', check(webpExtended(16_777_216, 16_777_216), { mimeTypes: ['image/webp'] }), ['blob_pixels_exceeded']],
])('BlobContentCheck with %s', (_title, found, expected) => expect(found).toEqual(expected));

test('checkBlobsPresent() reports a digest once that stands neither in the inventory nor in the folder', () => {
  const findings = new Findings();
  const there = 'ef'.repeat(32);
  checkBlobsPresent([blobOf(there, null, 0), blobOf(other, null, 1), blobOf(other, null, 2)], [`blobs/sha256/${there}`], findings.report);
  expect(findings.all.map(({ code, file, path }) => [code, file, path])).toEqual([['blob_missing', 'blobs/manifest.json', '$.blobs[1].sha256']]);
});
