/** Pictures go from the state of a product into a candidate, and from cassettes into the state of a replay (cassette-contract 8.3, 8.4). */

import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { dirname, join } from 'node:path';
import type { BlobFacts } from '../../core/blobs/facts.ts';
import { blobSourcePath, writeBlobManifest, type BlobEntry, type BlobReference } from '../../core/blobs/references.ts';
import { planBlobTargets, type BlobTarget } from '../../core/blobs/targets.ts';
import { blobPathOf, cassettePolicy } from '../../core/cassette/policy.ts';
import { refuse, type Result } from '../../core/recording/refusal.ts';
import { isThere, makeFolderBelow, readRegular, writeNew } from './safe-files.ts';
import { stagingPath } from './staging.ts';

/** Stores each picture once under its digest and writes the blob manifest of the candidate. A picture that is gone refuses all. */
export function exportBlobs(options: { references: readonly BlobReference[]; stateFolder: string; homeFolderOf: (agentSessionId: string) => string; candidateFolder: string; newId: () => string }): Result<BlobEntry[]> {
  const { stateFolder, candidateFolder, newId } = options;
  const entries: BlobEntry[] = [];
  for (const reference of options.references) {
    const source = blobSourcePath(reference, options.homeFolderOf(reference.agentSessionId));
    try {
      const content = readRegular(join(stateFolder, source), { shown: source, bytesMax: cassettePolicy.limits.maxPortableBlobBytes });
      const sha256 = createHash('sha256').update(content).digest('hex');
      if (!isThere(join(candidateFolder, blobPathOf(sha256)))) replaceBelow({ root: candidateFolder, path: blobPathOf(sha256), content, newId });
      entries.push({ ...reference, sha256, sizeBytes: content.length });
    } catch (error) {
      return refuse('blob_source_invalid', `Cannot export picture "${source}": ${messageOf(error)}, a regular file within the limit was needed`);
    }
  }
  try {
    replaceBelow({ root: candidateFolder, path: cassettePolicy.files.blobManifest.path, content: writeBlobManifest(entries), newId });
  } catch (error) {
    return refuse('blob_source_invalid', `Cannot export pictures: ${messageOf(error)}, a blob manifest was to be written`);
  }
  return { ok: true, value: entries };
}

/** Writes the pictures of a whole batch below `stateFolder`. All of them are compared with their digests before the first is written. */
export function materializeBlobs(options: { cassettes: readonly { cassetteId: string; folder: string; blobs: readonly BlobFacts[] }[]; stateFolder: string; newId: () => string }): Result<string[]> {
  const { targets, conflicts } = planBlobTargets(options.cassettes);
  const conflict = conflicts[0];
  if (conflict) return refuse('blob_conflict', `Cannot restore picture "${conflict.path}": cassettes "${conflict.cassetteIds.join('" and "')}" differ about it, the same picture was needed`);
  const folders = new Map(options.cassettes.map(({ cassetteId, folder }) => [cassetteId, folder]));
  const sourceOf = (target: BlobTarget): string => join(folders.get(target.cassetteId) ?? '', blobPathOf(target.sha256));
  try {
    for (const target of targets) compareSource(sourceOf(target), target);
    // Read again and compared again: the file may have been changed since, and 20 MiB each do not fit into memory for a batch.
    for (const target of targets) replaceBelow({ root: options.stateFolder, path: target.path, content: compareSource(sourceOf(target), target), newId: options.newId });
  } catch (error) {
    return refuse('blob_source_invalid', `Cannot restore pictures: ${messageOf(error)}, the pictures of the cassettes were needed`);
  }
  return { ok: true, value: targets.map((target) => target.path) };
}

function compareSource(path: string, { sha256, sizeBytes }: BlobTarget): Buffer {
  const shown = blobPathOf(sha256);
  const content = readRegular(path, { shown, bytesMax: cassettePolicy.limits.maxPortableBlobBytes });
  if (sizeBytes !== null && content.length !== sizeBytes) throw new Error(`"${shown}" has ${content.length} bytes and not ${sizeBytes}`);
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw new Error(`"${shown}" is not what its name says`);
  return content;
}

type Write = { root: string; path: string; content: Buffer | string; newId: () => string };

function replaceBelow({ root, path, content, newId }: Write): void {
  makeFolderBelow(root, dirname(path).split('/'));
  const staging = stagingPath(root, newId());
  try {
    writeNew(staging, [Buffer.from(content)]);
    renameSync(staging, join(root, path));
  } finally {
    rmSync(staging, { force: true });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
