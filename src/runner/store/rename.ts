/** A cassette gets another name (cassette-contract 1.7). */

import { createHash } from 'node:crypto';
import { lstatSync, renameSync, rmSync } from 'node:fs';
import type { Buffer } from 'node:buffer';
import { dirname, join } from 'node:path';
import { nameCodePointsMax, normalizeCassetteName } from '../../core/cassette/name.ts';
import { cassettePolicy } from '../../core/cassette/policy.ts';
import { replaceManifestName } from '../../core/cassette/replace-name.ts';
import type { CassetteRow, Recording } from '../../core/recording/recording.ts';
import { refuse, type Result } from '../../core/recording/refusal.ts';
import { manifestBytesMax } from './folder-catalog.ts';
import { errorsOf, type ResolveCassette, type Store } from './ports.ts';
import { readRegular, RefusedFile, syncFolder, writeNew } from './safe-files.ts';
import { stagingPath } from './staging.ts';

export type RenamedFolder = {
  name: string;
  manifestSha256: string;
  /** Puts the old manifest back, byte for byte. */
  undo: () => void;
};

/** Renames the cassette of a complete recording: in its folder, and in both of its rows. */
export async function renameCassette(store: Store, request: { recordingId: string; name: string }): Promise<Result<{ recording: Recording; cassette: CassetteRow }>> {
  const recording = store.catalog.recordings().find(({ id }) => id === request.recordingId);
  if (!recording) return refuse('recording_not_found', `Cannot rename recording "${request.recordingId}": the catalog does not have it, a known one was needed`);
  if (recording.status !== 'complete' || recording.cassetteId === null) return refuse('recording_state_invalid', `Cannot rename recording "${recording.id}": it is ${recording.status}, a complete one with a cassette was needed`);
  const cassette = store.catalog.findCassette(recording.cassetteId);
  if (!cassette) return refuse('cassette_not_found', `Cannot rename recording "${recording.id}": the catalog lacks its cassette "${recording.cassetteId}", it was needed`);
  const folder = join(store.cassettesRoot, cassette.id);
  const renamed = await renameCassetteFolder({ folder, name: request.name, expectedId: cassette.id, pinnedSha256: cassette.manifestSha256, resolveCassette: store.resolveCassette, newId: store.newId });
  if (!renamed.ok) return renamed;
  const { name, manifestSha256 } = renamed.value;
  const rows = { recording: { ...recording, name, updatedAtUnixMs: store.nowUnixMs() }, cassette: { ...cassette, name, manifestSha256 } };
  commitOrUndo(() => store.catalog.commit(rows), renamed.value.undo);
  return { ok: true, value: rows };
}

/** Renames one cassette folder. It must be valid as a whole; only the value of `name` changes in `cassette.json`. */
export async function renameCassetteFolder(options: { folder: string; name: string; expectedId: string | null; pinnedSha256: string | null; resolveCassette: ResolveCassette; newId: () => string }): Promise<Result<RenamedFolder>> {
  const { folder, expectedId, pinnedSha256 } = options;
  const name = normalizeCassetteName(options.name);
  if (name === null) return refuse('cassette_name_invalid', `Cannot rename cassette: the new name is blank or too long, 1 to ${nameCodePointsMax} characters were needed`);
  const { issues, facts } = await options.resolveCassette(folder, { expectedId, pinnedSha256 });
  const errors = errorsOf(issues);
  if (errors.length > 0 || !facts) return refuse('cassette_invalid', `Cannot rename cassette to "${name}": it is not valid, ${errors[0]?.message ?? 'it cannot be read'}`, errors);
  const manifest = join(folder, cassettePolicy.files.cassetteManifest.path);
  const before = readManifest(manifest);
  if (before instanceof RefusedFile) return refuse('cassette_invalid', `Cannot rename cassette to "${name}": ${before.message}, a regular file of at most ${manifestBytesMax} bytes was needed`);
  const after = sha256Of(before) === facts.manifestSha256 ? replaceManifestName(before, name) : null;
  if (after === null) return refuse('cassette_invalid', `Cannot rename cassette to "${name}": its manifest was changed meanwhile, the one that was read was needed`);
  replaceFile(manifest, after, options.newId());
  return { ok: true, value: { name, manifestSha256: sha256Of(after), undo: () => replaceFile(manifest, before, options.newId()) } };
}

function readManifest(path: string): Buffer | RefusedFile {
  try {
    return readRegular(path, { shown: cassettePolicy.files.cassetteManifest.path, bytesMax: manifestBytesMax });
  } catch (error) {
    if (error instanceof RefusedFile) return error;
    throw error;
  }
}

// The new file waits outside of the cassette: killed here, it must not be one file too many in there.
function replaceFile(path: string, bytes: Buffer, id: string): void {
  const folder = dirname(path);
  const staging = stagingPath(dirname(folder), id);
  try {
    writeNew(staging, [bytes], undefined, lstatSync(path).mode & 0o777);
    renameSync(staging, path);
  } finally {
    rmSync(staging, { force: true });
  }
  syncFolder(folder);
}

function commitOrUndo(commit: () => void, undo: () => void): void {
  try {
    commit();
  } catch (error) {
    try {
      undo();
    } catch (second) {
      throw new AggregateError([error, second], 'Cannot rename cassette: neither its rows could be written nor its old name, both were needed', { cause: second });
    }
    throw error;
  }
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
