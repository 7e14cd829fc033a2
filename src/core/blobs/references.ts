/** Which pictures a semantic state refers to, and the blob manifest they become (cassette-contract 8.3). */

import { cassettePolicy } from '../cassette/policy.ts';
import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { writeGoDocument } from '../json/go-text.ts';
import { isBlank, listAt, objectAt, present, textAt, trim } from '../json/read.ts';
import { attachmentKind, blobMimeType, extensionOf, imageKind, isGeneratedImagePath, isSafeSegment, pathExtension, type BlobMimeType } from './facts.ts';

export type BlobReference = { agentSessionId: string; mimeType: BlobMimeType } & ({ kind: typeof attachmentKind; attachmentId: string } | { kind: typeof imageKind; relativePath: string });
export type BlobEntry = BlobReference & { sha256: string; sizeBytes: number };

/** All pictures in the message payloads of a state, each once; what does not fit is no picture of ours and is passed over. */
export function findBlobReferences(state: Json): BlobReference[] {
  const found = new Map<string, BlobReference>();
  for (const session of listAt(objectAt(state, 'agent'), 'sessions') ?? []) {
    const agentSessionId = trim(textAt(session, 'id') ?? '');
    if (!isSafeSegment(agentSessionId)) continue;
    const payloads = (listAt(session, 'messages') ?? []).map((message) => present(message, 'payload'));
    for (const payload of payloads) for (const reference of [...findAttachments(payload, agentSessionId), ...findImages(payload, agentSessionId)]) found.set(JSON.stringify(reference), reference);
  }
  return [...found.values()];
}

/** Where the picture lies in the state folder of the product; `homeFolder` is that of the provider of its session (11). */
export function blobSourcePath(reference: BlobReference, homeFolder: string): string {
  const { agentSessionId: session } = reference;
  if (reference.kind === attachmentKind) return `agent/attachments/${session}/${reference.attachmentId}${extensionOf(reference.mimeType)}`;
  return `agent/runs/${session}/${homeFolder}/${reference.relativePath}`;
}

/** The text of `blobs/manifest.json`, members in the order of the reference. */
export function writeBlobManifest(entries: readonly BlobEntry[]): string {
  const blobs = entries.map((entry): Json => {
    const { kind, sha256, sizeBytes, agentSessionId, mimeType } = entry;
    return { kind, sha256, sizeBytes, agentSessionId, ...(entry.kind === attachmentKind ? { attachmentId: entry.attachmentId } : { relativePath: entry.relativePath }), mimeType };
  });
  return writeGoDocument({ schemaVersion: cassettePolicy.blobManifestSchemaVersion, blobs });
}

function findAttachments(value: Json | undefined, agentSessionId: string): BlobReference[] {
  if (Array.isArray(value)) return value.flatMap((item) => findAttachments(item, agentSessionId));
  if (!isObject(value)) return [];
  const below = Object.values(value).flatMap((item) => findAttachments(item, agentSessionId));
  const attachmentId = textAt(value, 'attachmentId');
  const mimeType = mimeAt(value, 'mimeType');
  if (textAt(value, 'type') !== 'image' || attachmentId === undefined || isBlank(attachmentId) || !isSafeSegment(attachmentId) || mimeType === null) return below;
  return [{ kind: attachmentKind, agentSessionId, attachmentId: trim(attachmentId), mimeType }, ...below];
}

function findImages(payload: Json | undefined, agentSessionId: string): BlobReference[] {
  const output = objectAt(payload, 'output');
  const mimeType = output ? mimeAt(output, 'imageMimeType') : null;
  if (!output || mimeType === null) return [];
  const paths = [textAt(output, 'savedPath'), ...(listAt(output, 'savedPaths') ?? [])].filter((path) => typeof path === 'string' && path.startsWith(homePrefix));
  const relative = paths.map((path) => String(path).slice(homePrefix.length));
  const fitting = relative.filter((path) => path === trim(path) && isGeneratedImagePath(path) && pathExtension(path) === extensionOf(mimeType));
  return fitting.map((relativePath) => ({ kind: imageKind, agentSessionId, relativePath, mimeType }));
}

function mimeAt(value: JsonObject, key: string): BlobMimeType | null {
  return blobMimeType(trim(textAt(value, key) ?? ''));
}

const homePrefix = '${REPLAY_HOME}/';
