/** A catalog that is the folder of cassettes itself: each row is made again from the cassette it speaks of (cassette-contract 9.1). */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkCassetteManifest } from '../../core/cassette/check-manifest.ts';
import { cassettePolicy } from '../../core/cassette/policy.ts';
import { readJson } from '../../core/json/document.ts';
import { cassetteRowOf, importedRecording, type CassetteRow, type Recording } from '../../core/recording/recording.ts';
import type { Catalog } from './ports.ts';
import { isThere, readRegular } from './safe-files.ts';

/** `scopeId` is the one of all recordings in this folder; a cassette does not say in which it was made. */
export function createFolderCatalog(options: { cassettesRoot: string; scopeId?: string }): Catalog {
  const { cassettesRoot, scopeId = '' } = options;
  const rows = (): CassetteRow[] => idsIn(cassettesRoot).flatMap((id) => readRow(cassettesRoot, id) ?? []);
  return {
    recordings: () => rows().map((row): Recording => importedRecording(row, { scopeId, nowUnixMs: row.createdAtUnixMs })),
    findCassette: (id) => (idsIn(cassettesRoot).includes(id) ? readRow(cassettesRoot, id) : null),
    // The folder is what was committed.
    commit: () => {},
    delete: () => {},
  };
}

function idsIn(root: string): string[] {
  if (!isThere(root)) return [];
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return folders.map((entry) => entry.name).toSorted();
}

// A folder whose manifest cannot be read, or speaks of another id, is no row: it cannot be asked for by its name.
function readRow(root: string, id: string): CassetteRow | null {
  try {
    const bytes = readRegular(join(root, id, cassettePolicy.files.cassetteManifest.path), { shown: id, bytesMax: manifestBytesMax });
    const value = readJson(bytes, { file: id }, ignore);
    const facts = value === undefined ? null : checkCassetteManifest(value, { expectedId: id, formats: () => true, blobs: null }, ignore);
    return facts?.mode && facts.id === id ? cassetteRowOf(facts, facts.mode, createHash('sha256').update(bytes).digest('hex')) : null;
  } catch {
    return null;
  }
}

const ignore = (): void => {};
/** What is read of a `cassette.json` (9.16). */
export const manifestBytesMax = 1_048_576;
