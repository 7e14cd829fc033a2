import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { parseJson, type Json, type JsonObject } from '../json/exact.ts';
import { checkBlobManifest } from './check-manifest.ts';

const digest = 'ab'.repeat(32);
const attachment = (change: JsonObject = {}): JsonObject => ({ kind: 'agent-prompt-attachment', sha256: digest, sizeBytes: 120, agentSessionId: 'session-1', attachmentId: 'picture-1', mimeType: 'image/png', ...change });
const image = (change: JsonObject = {}): JsonObject => ({ kind: 'agent-generated-image', sha256: digest, sizeBytes: 120, agentSessionId: 'session-1', relativePath: 'generated_images/a/b.webp', mimeType: 'image/webp', ...change });
const blobs = (...list: Json[]): JsonObject => ({ schemaVersion: 1, blobs: list });
const check = (input: Json) => {
  const findings = new Findings();
  const facts = checkBlobManifest(input, findings.report);
  expect(findings.all.every((finding) => finding.file === 'blobs/manifest.json')).toBe(true);
  return { facts, found: findings.all.map(({ code, path }) => `${code} ${path}`) };
};
const b = '$.blobs[0]';

test.each<[string, Json, string[]]>([
  ['nothing', blobs(), []],
  ['one of each kind', blobs(attachment(), image()), []],
  ['null instead of a document', null, ['blob_schema_unsupported $.schemaVersion']],
  ['another schema', { schemaVersion: 2, blobs: [] }, ['blob_schema_unsupported $.schemaVersion']],
  ['no schema', { blobs: [] }, ['blob_schema_unsupported $.schemaVersion']],
  ['null blobs', { schemaVersion: 1, blobs: null }, ['blobs_null $.blobs']],
  ['no blobs', { schemaVersion: 1 }, ['blobs_null $.blobs']],
  ['a null entry', blobs(null), [`blob_manifest_invalid ${b}`]],
  ['an unknown kind', blobs(attachment({ kind: 'video' })), [`blob_kind_unknown ${b}.kind`]],
  ['no kind', blobs(attachment({ kind: null })), [`blob_kind_unknown ${b}.kind`]],
  ['a padded kind', blobs(attachment({ kind: ' agent-prompt-attachment' })), [`blob_padded ${b}.kind`]],
  ['a digest in capitals', blobs(attachment({ sha256: digest.toUpperCase() })), []],
  ['a padded digest', blobs(attachment({ sha256: `${digest}\n` })), [`blob_padded ${b}.sha256`]],
  ['a short digest', blobs(attachment({ sha256: digest.slice(2) })), [`blob_sha256_invalid ${b}.sha256`]],
  ['a size of zero', blobs(attachment({ sizeBytes: 0 })), []],
  ['a size at the limit', blobs(attachment({ sizeBytes: 20_971_520 })), []],
  ['a size over the limit', blobs(attachment({ sizeBytes: 20_971_521 })), [`blob_size_invalid ${b}.sizeBytes`]],
  ['a size below zero', blobs(attachment({ sizeBytes: -1 })), [`blob_size_invalid ${b}.sizeBytes`]],
  ['a size beyond 64 bits, which the shape check reports', parseJson(JSON.stringify(blobs(attachment({ sizeBytes: 7 }))).replace(':7', ':99999999999999999999')) as Json, []],
  ...['', ' ', '.', '..', ' .. ', 'a/b', 'a\\b', 'a\0b', '/'].flatMap((segment): [string, Json, string[]][] => [
    [`the session ${JSON.stringify(segment)}`, blobs(attachment({ agentSessionId: segment })), [`blob_segment_unsafe ${b}.agentSessionId`]],
    [`the attachment ${JSON.stringify(segment)}`, blobs(attachment({ attachmentId: segment })), [`blob_segment_unsafe ${b}.attachmentId`]],
  ]),
  ['names that only look dangerous', blobs(attachment({ agentSessionId: '...', attachmentId: '-rf ~' })), []],
  ['a padded session', blobs(attachment({ agentSessionId: ' session-1' })), [`blob_padded ${b}.agentSessionId`]],
  ['a padded attachment', blobs(attachment({ attachmentId: 'picture-1 ' })), [`blob_padded ${b}.attachmentId`]],
  ...['', 'generated_images/', 'generated_images', 'images/a.webp', 'generated_images/../a.webp', 'generated_images/./a.webp', 'generated_images//a.webp', 'generated_images/a\\b.webp', 'generated_images/a.webp/', '/generated_images/a.webp', 'generated_images/a\0.webp', '../generated_images/a.webp'].map((path): [string, Json, string[]] => [`the path ${JSON.stringify(path)}`, blobs(image({ relativePath: path })), [`blob_path_unsafe ${b}.relativePath`]]),
  ['no path', blobs(image({ relativePath: null })), [`blob_path_unsafe ${b}.relativePath`]],
  ['space before a path', blobs(image({ relativePath: ' generated_images/a.webp' })), [`blob_padded ${b}.relativePath`]],
  ['space behind a path, which is another extension', blobs(image({ relativePath: 'generated_images/a.webp ' })), [`blob_extension_mismatch ${b}.relativePath`]],
  ['an extension in capitals', blobs(image({ relativePath: 'generated_images/a.WEBP' })), [`blob_extension_mismatch ${b}.relativePath`]],
  ['the long extension of JPEG', blobs(image({ relativePath: 'generated_images/a.jpeg', mimeType: 'image/jpeg' })), [`blob_extension_mismatch ${b}.relativePath`]],
  ['an extension alone', blobs(image({ relativePath: 'generated_images/.webp' })), []],
  ['an unsupported type', blobs(image({ mimeType: 'image/gif' })), [`blob_mime_unsupported ${b}.mimeType`]],
  ['a type in capitals', blobs(attachment({ mimeType: 'IMAGE/PNG' })), [`blob_mime_unsupported ${b}.mimeType`]],
  ['a type that is a member of every object', blobs(attachment({ mimeType: 'toString' })), [`blob_mime_unsupported ${b}.mimeType`]],
  ['a padded type', blobs(attachment({ mimeType: 'image/png ' })), [`blob_padded ${b}.mimeType`]],
  ['an attachment with a path', blobs(attachment({ relativePath: 'generated_images/a.png' })), [`blob_member_forbidden ${b}.relativePath`]],
  ['an attachment with a blank path', blobs(attachment({ relativePath: ' ' })), [`blob_member_blank ${b}.relativePath`]],
  ['an attachment with a null path', blobs(attachment({ relativePath: null })), []],
  ['an image with an attachment', blobs(image({ attachmentId: 'a' })), [`blob_member_forbidden ${b}.attachmentId`]],
  ['an image with an empty attachment', blobs(image({ attachmentId: '' })), [`blob_member_blank ${b}.attachmentId`]],
  ['one attachment twice', blobs(attachment(), attachment({ mimeType: 'image/jpeg' })), ['blob_target_repeated $.blobs[1]']],
  ['one digest in two places', blobs(attachment(), attachment({ attachmentId: 'picture-2' }), image()), []],
  ['two things wrong', blobs(attachment({ kind: '', sizeBytes: -1 })), [`blob_kind_unknown ${b}.kind`, `blob_size_invalid ${b}.sizeBytes`]],
])('checkBlobManifest() with %s', (_title, input, found) => expect(check(input).found).toEqual(found));

test('checkBlobManifest() gives trimmed facts, and none where a digest cannot be read', () => {
  expect(check(blobs(attachment({ sha256: ` ${digest.toUpperCase()}`, agentSessionId: ' s ' }))).facts).toEqual([{ index: 0, kind: 'agent-prompt-attachment', sha256: digest, sizeBytes: 120, agentSessionId: 's', attachmentId: 'picture-1', relativePath: null, mimeType: 'image/png' }]);
  expect(check(blobs(attachment({ mimeType: 'x', agentSessionId: '..' }))).facts).toMatchObject([{ sha256: digest, agentSessionId: null, mimeType: null }]);
  expect([blobs(attachment({ sha256: 'x' })), blobs(1), { schemaVersion: 1, blobs: {} }, null, [], { schemaVersion: 1 }].map((input) => check(input as Json).facts)).toEqual([null, null, null, null, null, []]);
});
