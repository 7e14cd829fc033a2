/** Cassettes on a real temporary folder, a catalog in memory and a judge of inventories, for the tests of the store. */

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { checkInventory, type DiskEntry } from '../../core/cassette/check-inventory.ts';
import { checkCassetteManifest } from '../../core/cassette/check-manifest.ts';
import { contentOf, entryOf, manifestWith, requiredPaths } from '../../core/cassette/fixtures.ts';
import { createIssue, Findings, issuesAt } from '../../core/issue.ts';
import { readJson } from '../../core/json/document.ts';
import type { JsonObject } from '../../core/json/exact.ts';
import { cassetteRowOf, importedRecording, type CassetteRow, type Recording } from '../../core/recording/recording.ts';
import type { Catalog, ResolveCassette, Store } from './ports.ts';

type AtEnd = (call: () => void) => void;

export const idOf = (digit: number | string): string => `00000000-0000-4000-8000-${String(digit).padStart(12, '0')}`;
export const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** `atEnd` is Vitest's `onTestFinished`. */
export function temporaryFolder(atEnd: AtEnd): string {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-store-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a cassette whose inventory is true, whatever the change is. */
export function writeCassette(folder: string, change: JsonObject = {}, write: (manifest: JsonObject) => string = (manifest) => `${JSON.stringify(manifest, null, 2)}\n`): string {
  const paths = change.mode === 'continue-session' ? [...requiredPaths, 'initial-state.json'] : requiredPaths;
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contentOf(path));
  }
  writeFileSync(join(folder, 'cassette.json'), write(manifestWith({ files: paths.map((path) => entryOf(path)), ...change })));
  return folder;
}

/** Every path below a folder with what it holds: links and folders by their kind. */
export function picture(folder: string): { [path: string]: string } {
  return Object.fromEntries(walk(folder).map((path) => [relative(folder, path), lstatSync(path).isFile() ? readFileSync(path, 'latin1') : 'no file']).toSorted());
}

/** Judges manifest, hash and inventory, as the real one does first. */
export const resolveCassette: ResolveCassette = (folder, { expectedId, pinnedSha256 }) => {
  const findings = new Findings();
  const bytes = readFileSync(join(folder, 'cassette.json'));
  const manifestSha256 = sha256Of(bytes);
  const value = readJson(bytes, { file: 'cassette.json' }, findings.report);
  const manifest = value === undefined ? null : checkCassetteManifest(value, { expectedId, formats: () => true, blobs: [] }, findings.report);
  if (manifest) checkInventory(manifest, walk(folder).map((path) => entryAt(folder, path)), findings.report);
  const pinned = pinnedSha256 !== null && pinnedSha256 !== manifestSha256 ? [createIssue({ code: 'manifest_sha256_mismatch', file: 'cassette.json', is: manifestSha256, needed: pinnedSha256 })] : [];
  return { issues: [...pinned, ...issuesAt(findings.all)], facts: manifest && { ...manifest, manifestSha256 } };
};

export type MemoryCatalog = Catalog & { rows: Map<string, Recording>; cassettes: Map<string, CassetteRow> };

export function memoryCatalog(): MemoryCatalog {
  const rows = new Map<string, Recording>();
  const cassettes = new Map<string, CassetteRow>();
  return {
    rows,
    cassettes,
    recordings: () => [...rows.values()],
    findCassette: (id) => cassettes.get(id) ?? null,
    commit: ({ recording, cassette }) => void (rows.set(recording.id, recording), cassettes.set(cassette.id, cassette)),
    delete: (id) => void (cassettes.delete(rows.get(id)?.cassetteId ?? ''), rows.delete(id)),
  };
}

export type Room = { root: string; store: Store & { candidatesRoot: string }; catalog: MemoryCatalog };

/** A store of its own; ids count up, and the time stands at 5000. */
export function createRoom(atEnd: AtEnd): Room {
  const root = temporaryFolder(atEnd);
  const catalog = memoryCatalog();
  let count = 0;
  const store = { cassettesRoot: join(root, 'cassettes'), candidatesRoot: join(root, 'recordings'), catalog, resolveCassette, newId: () => `id-${count++}`, nowUnixMs: () => 5000 };
  mkdirSync(store.cassettesRoot);
  mkdirSync(store.candidatesRoot);
  return { root, store, catalog };
}

/** A cassette in the store with both of its rows. */
export function addCassette({ store, catalog }: Room, digit: number, change: JsonObject = {}): CassetteRow {
  const folder = writeCassette(join(store.cassettesRoot, idOf(digit)), { id: idOf(digit), sourceRecordingId: idOf(`f${digit}`), rootAgentSessionId: `root-${digit}`, ...change });
  const manifest = checkCassetteManifest(readJson(readFileSync(join(folder, 'cassette.json')), { file: '' }, () => {}) ?? null, { expectedId: null, formats: () => true, blobs: [] }, () => {});
  if (!manifest?.mode) throw new Error('the fixture is no cassette');
  const cassette = cassetteRowOf(manifest, manifest.mode, sha256Of(readFileSync(join(folder, 'cassette.json'))));
  catalog.commit({ cassette, recording: importedRecording(cassette, { scopeId: 'workspace-1', nowUnixMs: 1000 }) });
  return cassette;
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]));
}

function entryAt(folder: string, path: string): DiskEntry {
  const facts = lstatSync(path);
  const kind = facts.isFile() ? 'file' : facts.isSymbolicLink() ? 'link' : 'other';
  return { path: relative(folder, path), sizeBytes: facts.size, sha256: kind === 'file' ? sha256Of(readFileSync(path)) : null, kind };
}
