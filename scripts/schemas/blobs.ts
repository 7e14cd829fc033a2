/** `blobs/manifest.json`, schema 1 (cassette-contract 8). */

import { choice, document, i64, list, object, optional, refused, sha256, text, version, when } from './members.ts';
import { attachmentKind, imageKind, imageTypes, policy } from './vocabulary.ts';

const segment = '^(?!\\s*\\.{1,2}\\s*$)(?!\\s)[^/\\\\]*[^/\\\\\\s]$';
const extensions = imageTypes.map(({ extension }) => extension.slice(1)).join('|');
const step = '(?!\\.{1,2}(?:/|$))[^/\\\\]+';

const blob = object('An image, and where the product keeps it.', {
  kind: choice('Given by the user, or made by the agent.', [attachmentKind, imageKind]),
  sha256: sha256('SHA-256 of its bytes, which is its name in the cassette.'),
  sizeBytes: i64('Its size.', { minimum: 0, maximum: policy.limits.maxPortableBlobBytes }),
  agentSessionId: text('The session it belongs to.', { pattern: segment }),
  attachmentId: optional(text('Of an attachment: its name.', { pattern: segment })),
  relativePath: optional(text('Of a made image: its path below the home of the provider.', { pattern: `^generated_images/(?:${step}/)*${step}\\.(?:${extensions})$` })),
  mimeType: choice('Its type.', imageTypes.map(({ mimeType }) => mimeType)),
}, { allOf: [
  when('kind', [attachmentKind], { required: ['attachmentId'], ...refused('relativePath') }),
  when('kind', [imageKind], { required: ['relativePath'], ...refused('attachmentId') }),
  ...imageTypes.map(({ mimeType, extension }) => when('mimeType', [mimeType], { properties: { relativePath: { pattern: `\\${extension}$` } } })),
] });

export const blobManifestDocument = document('blob-manifest', 'Blob manifest', 'The images of a cassette, and where each of them belongs.', {
  schemaVersion: version(policy.blobManifestSchemaVersion, 'the blob manifest'),
  blobs: list('The images; two entries may share one file.', blob),
});
