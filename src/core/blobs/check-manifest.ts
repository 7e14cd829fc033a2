/** `blobs/manifest.json` against its contract (cassette-contract 8.1, 8.2). */

import { cassettePolicy, digestOf } from '../cassette/policy.ts';
import { zeroInteger, zeroText } from '../json/zero.ts';
import type { IssueCode } from '../issue-catalogue.ts';
import type { Report } from '../issue.ts';
import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, listAt, present, shown, trim } from '../json/read.ts';
import { attachmentKind, blobMimeType, extensionOf, imageKind, isGeneratedImagePath, isSafeSegment, pathExtension, targetKey, type BlobFacts, type BlobKind, type BlobMimeType } from './facts.ts';

/** Reports everything that stands against the manifest; `null` where not every digest can be read, so that no content address can be judged. */
export function checkBlobManifest(value: Json, report: Report): BlobFacts[] | null {
  const say: Say = (code, path, is, needed) => report({ code, file, path, is, needed });
  if (value !== null && !isObject(value)) return null;
  checkSchema(value, say);
  if (value === null) return null;
  if (present(value, 'blobs') === undefined) {
    say('blobs_null', '$.blobs', 'the list of blobs is absent', 'a list was needed');
    return [];
  }
  const facts = listAt(value, 'blobs')?.map((entry, index) => checkBlob(entry, index, say));
  if (!facts) return null;
  const readable = facts.filter((blob) => blob !== null);
  checkTargets(readable, say);
  return readable.length === facts.length ? readable : null;
}

type Say = (code: IssueCode, path: string, is: string, needed: string) => void;

function checkSchema(value: JsonObject | null, say: Say): void {
  const version = zeroInteger(value, 'schemaVersion');
  if (version !== null && version !== BigInt(cassettePolicy.blobManifestSchemaVersion))
    say('blob_schema_unsupported', '$.schemaVersion', `the schema version is ${shown(present(value, 'schemaVersion'))}`, `${cassettePolicy.blobManifestSchemaVersion} was needed`);
}

function checkBlob(entry: Json, index: number, say: Say): BlobFacts | null {
  const at = `$.blobs[${index}]`;
  if (entry === null) say('blob_manifest_invalid', at, 'the entry is null', 'a blob was needed');
  if (!isObject(entry)) return null;
  const blob: Blob = { entry, at, say };
  const kind = checkKind(blob);
  const sha256 = checkSha256(blob);
  const sizeBytes = checkSize(blob);
  const mimeType = checkMime(blob);
  const agentSessionId = checkSegment(blob, 'agentSessionId');
  const attachmentId = kind === attachmentKind ? checkSegment(blob, 'attachmentId') : null;
  const relativePath = kind === imageKind ? checkRelativePath(blob, mimeType) : null;
  if (kind !== null) checkOtherPlace(blob, kind === attachmentKind ? 'relativePath' : 'attachmentId');
  return sha256 === null ? null : { index, kind, sha256, sizeBytes, agentSessionId, attachmentId, relativePath, mimeType };
}

type Blob = { entry: JsonObject; at: string; say: Say };

function checkKind({ entry, at, say }: Blob): BlobKind | null {
  const text = zeroText(entry, 'kind');
  if (text === null) return null;
  const kind = trim(text);
  if (kind !== attachmentKind && kind !== imageKind) {
    say('blob_kind_unknown', `${at}.kind`, `the kind is ${shown(present(entry, 'kind'))}`, `"${attachmentKind}" or "${imageKind}" was needed`);
    return null;
  }
  checkPadding({ entry, at, say }, 'kind', text);
  return kind;
}

function checkSha256({ entry, at, say }: Blob): string | null {
  const text = zeroText(entry, 'sha256');
  if (text === null) return null;
  const digest = digestOf(trim(text));
  if (digest === null) say('blob_sha256_invalid', `${at}.sha256`, `the digest is ${shown(present(entry, 'sha256'))}`, '64 hex digits were needed');
  else checkPadding({ entry, at, say }, 'sha256', text);
  return digest;
}

function checkSize({ entry, at, say }: Blob): number | null {
  const size = zeroInteger(entry, 'sizeBytes');
  if (size === null) return null;
  const max = cassettePolicy.limits.maxPortableBlobBytes;
  if (size >= 0n && size <= BigInt(max)) return Number(size);
  say('blob_size_invalid', `${at}.sizeBytes`, `the size is ${size}`, `0 to ${max} was needed`);
  return null;
}

function checkMime({ entry, at, say }: Blob): BlobMimeType | null {
  const text = zeroText(entry, 'mimeType');
  if (text === null) return null;
  const mimeType = blobMimeType(trim(text));
  if (mimeType === null) say('blob_mime_unsupported', `${at}.mimeType`, `the type is ${shown(present(entry, 'mimeType'))}`, 'image/png, image/jpeg or image/webp was needed');
  else checkPadding({ entry, at, say }, 'mimeType', text);
  return mimeType;
}

function checkSegment({ entry, at, say }: Blob, key: 'agentSessionId' | 'attachmentId'): string | null {
  const text = zeroText(entry, key);
  if (text === null) return null;
  if (!isSafeSegment(text)) {
    say('blob_segment_unsafe', `${at}.${key}`, `it is ${shown(present(entry, key))}`, 'the name of one file or folder was needed');
    return null;
  }
  checkPadding({ entry, at, say }, key, text);
  return trim(text);
}

// Note: the extension is that of the path as it is written; space behind it makes another extension (8.2).
function checkRelativePath({ entry, at, say }: Blob, mimeType: BlobMimeType | null): string | null {
  const text = zeroText(entry, 'relativePath');
  const path = `${at}.relativePath`;
  if (text === null) return null;
  if (!isGeneratedImagePath(text)) {
    say('blob_path_unsafe', path, `it is ${shown(present(entry, 'relativePath'))}`, 'a path below generated_images/ in its only form was needed');
    return null;
  }
  if (mimeType !== null && pathExtension(text) !== extensionOf(mimeType)) {
    say('blob_extension_mismatch', path, `it is ${shown(text)}`, `"${extensionOf(mimeType)}" at its end was needed`);
    return null;
  }
  checkPadding({ entry, at, say }, 'relativePath', text);
  return trim(text);
}

function checkOtherPlace({ entry, at, say }: Blob, key: 'attachmentId' | 'relativePath'): void {
  const found = present(entry, key);
  if (typeof found !== 'string') return;
  if (isBlank(found)) say('blob_member_blank', `${at}.${key}`, 'it is blank', 'a blob of this kind has no such member');
  else say('blob_member_forbidden', `${at}.${key}`, `it is ${shown(found)}`, 'a blob of this kind has no such member');
}

function checkPadding({ at, say }: Blob, key: string, text: string): void {
  if (trim(text) !== text) say('blob_padded', `${at}.${key}`, `it is ${shown(text)}`, 'no white space around it was expected');
}

function checkTargets(blobs: readonly BlobFacts[], say: Say): void {
  const first = new Map<string, number>();
  for (const blob of blobs) {
    const key = targetKey(blob);
    if (key === null) continue;
    const other = first.get(key);
    if (other === undefined) first.set(key, blob.index);
    else say('blob_target_repeated', `$.blobs[${blob.index}]`, `it belongs where $.blobs[${other}] does`, 'one blob for each place was expected');
  }
}

const file = cassettePolicy.files.blobManifest.path;
