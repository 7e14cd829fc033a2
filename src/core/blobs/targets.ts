/** Where blobs belong in the state of a product, and whether the cassettes of a batch agree about it (cassette-contract 8.4). */

import { attachmentKind, extensionOf, imageKind, isGeneratedImagePath, isSafeSegment, targetKey, type BlobFacts } from './facts.ts';

/** One file to write; `path` is relative to the state folder, and none of its names leaves it. */
export type BlobTarget = { path: string; cassetteId: string; sha256: string; sizeBytes: number | null; mimeType: string };

/** Two blobs that cannot both stand: another content in one place, or one of them where the other needs a folder. */
export type BlobConflict = { path: string; cassetteIds: [string, string] };

/** `null` where the blob names no safe place: such a blob was reported, and nothing is written for it. */
export function blobTargetPath(blob: BlobFacts): string | null {
  const { kind, agentSessionId: session, attachmentId, relativePath, mimeType } = blob;
  if (session === null || !isSafeSegment(session) || mimeType === null) return null;
  if (kind === attachmentKind && attachmentId !== null && isSafeSegment(attachmentId)) return `agent/attachments/${session}/${attachmentId}${extensionOf(mimeType)}`;
  // Note: the home of Codex whatever the provider is, as the reference has it (8.4).
  if (kind === imageKind && relativePath !== null && isGeneratedImagePath(relativePath)) return `agent/runs/${session}/codex-home/${relativePath}`;
  return null;
}

/** Plans the files of a whole batch; nothing may be written while there is a conflict. */
export function planBlobTargets(cassettes: readonly { cassetteId: string; blobs: readonly BlobFacts[] }[]): { targets: BlobTarget[]; conflicts: BlobConflict[] } {
  const places = new Map<string, BlobTarget>();
  const targets = new Map<string, BlobTarget>();
  const conflicts: BlobConflict[] = [];
  for (const { cassetteId, blobs } of cassettes)
    for (const blob of blobs) {
      const path = blobTargetPath(blob);
      if (path === null || blob.mimeType === null) continue;
      const target: BlobTarget = { path, cassetteId, sha256: blob.sha256, sizeBytes: blob.sizeBytes, mimeType: blob.mimeType };
      // The key has no type in it: one attachment as PNG and as JPEG is a conflict, though the files have two names (8.4).
      const key = targetKey(blob) ?? path;
      const other = places.get(key);
      if (other && !isSame(other, target)) conflicts.push({ path, cassetteIds: [other.cassetteId, cassetteId] });
      if (other) continue;
      places.set(key, target);
      targets.set(path, target);
    }
  return { targets: [...targets.values()], conflicts: [...conflicts, ...nestedTargets(targets)] };
}

function isSame(a: BlobTarget, b: BlobTarget): boolean {
  return a.sha256 === b.sha256 && a.sizeBytes === b.sizeBytes && a.mimeType === b.mimeType;
}

// `generated_images/a.png` and `generated_images/a.png/b.png` are both in order, and no disk can hold both.
function nestedTargets(targets: ReadonlyMap<string, BlobTarget>): BlobConflict[] {
  return [...targets.values()].flatMap((target) => {
    const names = target.path.split('/');
    const folders = names.slice(1).map((_name, depth) => names.slice(0, depth + 1).join('/'));
    const file = folders.map((folder) => targets.get(folder)).find((found) => found !== undefined);
    return file ? [{ path: target.path, cassetteIds: [file.cassetteId, target.cassetteId] satisfies [string, string] }] : [];
  });
}
