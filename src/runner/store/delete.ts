/** A recording goes, with its cassette or with what would have become one (cassette-contract 9.13). */

import { join } from 'node:path';
import { isSafeSegment } from '../../core/blobs/facts.ts';
import { isActive } from '../../core/recording/recording.ts';
import { refuse, type Result } from '../../core/recording/refusal.ts';
import type { Store } from './ports.ts';
import { isThere } from './safe-files.ts';
import { removeFolder, stagingPath } from './staging.ts';

/** Removes the folder first and the rows last: after a kill in between it can be asked for again. */
export function deleteRecording(store: Store, recordingId: string): Result<null> {
  const recording = store.catalog.recordings().find(({ id }) => id === recordingId);
  if (!recording) return refuse('recording_not_found', `Cannot delete recording "${recordingId}": the catalog does not have it, a known one was needed`);
  if (isActive(recording.status)) return refuse('recording_active', `Cannot delete recording "${recordingId}": it is ${recording.status}, one that has ended was needed`);
  const { cassetteId } = recording;
  const root = cassetteId === null ? store.candidatesRoot : store.cassettesRoot;
  const name = cassetteId ?? recordingId;
  if (!isSafeSegment(name) || name.startsWith('.')) return refuse('recording_state_invalid', `Cannot delete recording "${recordingId}": "${name}" is no name of a folder, one was needed`);
  if (root !== null && isThere(join(root, name))) removeFolder(join(root, name), stagingPath(root, store.newId()));
  store.catalog.delete(recordingId);
  return { ok: true, value: null };
}
