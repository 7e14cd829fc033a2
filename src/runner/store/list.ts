/** Which recordings and cassettes there are (cassette-contract 9.15). */

import { join } from 'node:path';
import { trim } from '../../core/json/read.ts';
import type { CassetteRow, Recording } from '../../core/recording/recording.ts';
import type { Store } from './ports.ts';

/** `folder` holds the cassette or its candidate; `null` where this store has no place for candidates. */
export type ListedRecording = { recording: Recording; folder: string | null };
export type ListedCassette = { cassette: CassetteRow; folder: string };

/** Oldest first; a blank scope lists every scope. */
export function listRecordings(store: Store, scopeId: string): ListedRecording[] {
  const scope = trim(scopeId);
  const found = store.catalog.recordings().filter((recording) => scope === '' || recording.scopeId === scope);
  return found.toSorted(byAge).map((recording) => ({ recording, folder: folderOf(store, recording) }));
}

/** The cassettes of the recordings of a scope. */
export function listCassettes(store: Store, scopeId: string): ListedCassette[] {
  return listRecordings(store, scopeId).flatMap(({ recording }) => {
    const cassette = recording.cassetteId === null ? null : store.catalog.findCassette(recording.cassetteId);
    return cassette ? [{ cassette, folder: join(store.cassettesRoot, cassette.id) }] : [];
  });
}

function folderOf(store: Store, { id, cassetteId }: Recording): string | null {
  if (cassetteId !== null) return join(store.cassettesRoot, cassetteId);
  return store.candidatesRoot === null ? null : join(store.candidatesRoot, id);
}

function byAge(a: Recording, b: Recording): number {
  return a.createdAtUnixMs - b.createdAtUnixMs || (a.id < b.id ? -1 : 1);
}
